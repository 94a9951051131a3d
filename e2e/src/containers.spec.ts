import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@perdure/stack/services';

const DOCKER = path.join(REPOSITORY_ROOT, 'docker');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-containers-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(script: string, ...argv: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [path.join(DOCKER, script), ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

/** The check over one of the two files with a part of its text replaced everywhere. */
function checkWith(file: 'Dockerfile' | 'compose.yaml', part: string | RegExp, replacement: string) {
  const text = readFileSync(path.join(DOCKER, file), 'utf8');
  const changed = text.replaceAll(part, replacement);
  expect(changed).not.toBe(text);
  const copy = path.join(folder, file);
  writeFileSync(copy, changed);
  return run('check.mjs', file === 'Dockerfile' ? '--dockerfile' : '--compose', copy);
}

test('O11, O12: the Dockerfile and compose.yaml keep their rules', async () => {
  expect(await run('check.mjs')).toMatchObject({ code: 0 });
});

test.each([
  [/node:[\d.]+-bookworm-slim/g, 'node:latest', 'is not a full version'],
  [/^USER .*$/gm, 'USER root', 'runs as root'],
  [/^USER .*$/gm, '', 'runs as root'],
  [/^HEALTHCHECK --.*$/gm, '', 'has no HEALTHCHECK'],
  [/^STOPSIGNAL .*$/gm, 'STOPSIGNAL SIGKILL', 'STOPSIGNAL is not SIGTERM'],
  ['ENTRYPOINT ["node"]', 'ENTRYPOINT node', 'needs a shell'],
  ['COPY tsconfig.base.json', 'COPY tsconfig.json', 'tsconfig.json does not exist'],
  ['COPY docker/assemble.mjs', 'COPY cases', 'is kept out of the context'],
  ['--from=build', '--from=builder', 'there is no stage builder'],
  ['ENV NODE_ENV=production', 'ENV PERDURE_DATABASE_URL=x NODE_ENV=production', 'would stay in the image'],
  ['npm ci', 'npm install', 'npm ci, not npm install'],
  [/ AS usage-ingest$/gm, ' AS ingest', 'no target for apps/usage-ingest'],
  ['apps/api/dist/main.js', 'apps/api/dist/index.js', 'has no source'],
  [/org.opencontainers.image.licenses=\S+/g, '', 'has no label org.opencontainers.image.licenses'],
])('O11: the check of the Dockerfile fails with %s replaced by %j', async (part, replacement, expected) => {
  const { code, output } = await checkWith('Dockerfile', part, replacement);
  expect(output).toContain(expected);
  expect(code).toBe(1);
});

test.each([
  ['redis:8.8.0-alpine', 'redis:latest', 'has no full version'],
  ["'127.0.0.1:${PERDURE_API_PORT", "'${PERDURE_API_PORT", 'to every network'],
  ['read_only: true', 'read_only: false', 'can write into its own files'],
  ['cap_drop: [ALL]', 'cap_drop: [NET_RAW]', 'keeps capabilities'],
  ['no-new-privileges:true', 'label:disable', 'may gain privileges'],
  ['user: redis', 'user: root', 'starts as root'],
  ['${PERDURE_APP_PASSWORD:?run node docker/init.mjs}@', 'perdure@', 'is not required from .env'],
  [
    '${PERDURE_APP_PASSWORD:?run node docker/init.mjs}',
    '${PERDURE_APP_PASSWORD:-perdure}',
    'is not required from .env',
  ],
  ['PERDURE_PURGE_PASSWORD:?', 'PERDURE_PURGER_PASSWORD:?', 'init.mjs does not write it'],
  ['noeviction', 'allkeys-lru', 'redis has no maxmemory-policy noeviction'],
  ['/var/lib/postgresql', '/var/lib/postgresql/data', 'postgres would lose its data'],
  ['target: usage-ingest', 'target: ingest', 'no target ingest'],
  ['migrate: { condition: service_completed_successfully }', 'roles: { condition: service_healthy }', 'says nothing'],
  [/^ {2}audit-writer:$/gm, '  audit-linker:', 'no service for apps/audit-writer'],
])('O12: the check of compose.yaml fails with %s replaced by %j', async (part, replacement, expected) => {
  const { code, output } = await checkWith('compose.yaml', part, replacement);
  expect(output).toContain(expected);
  expect(code).toBe(1);
});

test('O11, O12: what the images hold runs read-only, unprivileged and in the order of compose.yaml', async () => {
  const { code, output } = await run('rehearse.mjs');
  expect(output).toContain('stopped on their STOPSIGNAL');
  expect(code).toBe(0);
}, 300_000);
