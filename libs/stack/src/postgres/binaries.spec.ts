import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findBinaries, linkLibraries } from './binaries.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-binaries-'));
  chmodSync(folder, 0o755);
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The installed package, as npm leaves it when install scripts are off. */
function packageWithoutLinks(): string {
  const installed = path.join(path.dirname(findBinaries({}).postgres), '..', '..');
  const copy = path.join(folder, 'package');
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  const library = path.join(copy, 'native', 'lib');
  for (const name of readdirSync(library)) {
    if (lstatSync(path.join(library, name)).isSymbolicLink()) rmSync(path.join(library, name));
  }
  return copy;
}

it('O1: library links that an install script would make are made here, and the programs run then', () => {
  const copy = packageWithoutLinks();
  const version = () => spawnSync(path.join(copy, 'native', 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
  expect(version().status).not.toBe(0);
  expect(linkLibraries(copy)).toBe(true);
  expect(version().stdout).toMatch(/^postgres \(PostgreSQL\) 18\./);
});
