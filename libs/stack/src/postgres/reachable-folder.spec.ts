import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { reachableFolder } from './reachable-folder.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-reachable-'));
  chmodSync(folder, 0o711);
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('passes over a folder that others may write to: what lies there gets executed', () => {
  const [open, ours] = [path.join(folder, 'open'), path.join(folder, 'ours')];
  mkdirSync(open);
  chmodSync(open, 0o777);
  expect(reachableFolder({}, [open, ours])).toBe(ours);
});

it('says which folders were tried when none serves', () => {
  const file = '/dev/null/below';
  expect(() => reachableFolder({}, [file])).toThrow(`can reach none of ${file}`);
});

// Only root can ask for another uid.
if (process.getuid?.() === 0) {
  it('passes over a folder the account cannot enter', () => {
    const closed = path.join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const account = { uid: 65534, gid: 65534 };
    expect(reachableFolder(account, [path.join(closed, 'place'), path.join(folder, 'place')])).toBe(
      path.join(folder, 'place'),
    );
  });
}
