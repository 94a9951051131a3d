import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { prepareDataFolder } from './data-folder.js';
import { markNotReady, readCredentials, writeStackFile, type StackFile } from './stack-file.js';

let folder: string;
let file: string;

const CREDENTIALS = {
  workspace_id: '01J0000000000000000000000A',
  project: 'demo',
  agent_token: 'a',
  measurer_token: 'b',
  reporter_token: 'c',
  auditor_token: 'd',
  admin_token: 'e',
  platform_token: 'f',
};

const STACK: StackFile = {
  ready: true,
  mcp_url: 'http://127.0.0.1:7401/mcp',
  api_url: 'http://127.0.0.1:7400',
  dashboard_url: 'http://127.0.0.1:7400',
  database_url: 'postgres://app',
  database_owner_url: 'postgres://owner',
  queue_url: 'redis://',
  ...CREDENTIALS,
  processes: [{ name: 'api', pid: 4711 }],
};

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-stack-file-'));
  file = path.join(folder, 'stack.json');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const read = (): unknown => JSON.parse(readFileSync(file, 'utf8'));

it('O1: stack.json is for its owner alone, also when it replaces one that was open, and leaves no part behind', () => {
  writeFileSync(file, '{}', { mode: 0o644 });
  writeStackFile(file, STACK);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(read()).toEqual(STACK);
  expect(readdirSync(folder)).toEqual(['stack.json']);
});

it('O1: a stack that stops says so and keeps its tokens for the next start', () => {
  writeStackFile(file, STACK);
  markNotReady(file);
  expect(read()).toEqual({ ...STACK, ready: false, processes: [] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readCredentials(file)).toEqual(CREDENTIALS);
});

it('takes credentials only when all are there', () => {
  expect(readCredentials(file)).toBeNull();
  writeFileSync(file, '{"agent_token":');
  expect(readCredentials(file)).toBeNull();
  writeFileSync(file, JSON.stringify({ ...STACK, auditor_token: undefined }));
  expect(readCredentials(file)).toBeNull();
  markNotReady(path.join(folder, 'none.json'));
  expect(readdirSync(folder)).toEqual(['stack.json']);
});

it('O1: the data folder ignores itself in git and is closed to others', () => {
  const root = path.join(folder, 'data');
  const data = prepareDataFolder(root);
  prepareDataFolder(root);
  expect(readFileSync(path.join(root, '.gitignore'), 'utf8')).toBe('*\n');
  // As root, Postgres runs as another uid and passes through; nobody may list.
  expect(statSync(root).mode & 0o766).toBe(0o700);
  expect(data.logOf('api')).toBe(path.join(root, 'logs', 'api.log'));
});
