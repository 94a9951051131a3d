import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EnvironmentError, passwordOf, requireVariables } from './operator-command.js';

const WANTED = { FIRST: 'the first thing', SECOND: 'the second thing' };

test('O11: everything that is missing is named at once, with what it should be', () => {
  const read = () => requireVariables({ FIRST: '' }, WANTED);
  expect(read).toThrow(EnvironmentError);
  expect(read).toThrow(/FIRST .*the first thing[^]*SECOND .*the second thing/);
});

test('O11: a value may come from a file, and a file that cannot be read is named', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-variables-'));
  const file = path.join(folder, 'second');
  writeFileSync(file, 'from a file\n');
  expect(requireVariables({ FIRST: 'direct', SECOND_FILE: file }, WANTED)).toEqual({
    FIRST: 'direct',
    SECOND: 'from a file',
  });
  rmSync(folder, { recursive: true });
  expect(() => requireVariables({ FIRST: 'direct', SECOND_FILE: file }, WANTED)).toThrow(
    /SECOND_FILE .*cannot be read/,
  );
});

test('O11: the password of a url is decoded; what is no Postgres url is refused without repeating it', () => {
  expect(passwordOf('URL', 'postgres://role:a%40b@host/db')).toBe('a@b');
  expect(passwordOf('URL', 'postgresql://role@host/db')).toBe('');
  for (const wrong of ['hunter2', 'redis://role:hunter2@host/0', 'postgres://role:hun ter2 @:/']) {
    expect(() => passwordOf('URL', wrong)).toThrow(/URL is no Postgres url/);
    expect(() => passwordOf('URL', wrong)).not.toThrow(/hunter2|hun ter2/);
  }
});
