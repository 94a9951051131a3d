import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { catalogue } from '@perdure/contracts';
import {
  startApp,
  startTestApi,
  type TestActor,
  type TestApi,
  type TestApp,
  type TestInstallation,
} from '@perdure/testkit';
import { EXIT } from '../exit-status.js';
import { main } from '../main.js';

const CASES = path.join(__dirname, '..', '..', '..', '..', 'cases', 'usage');

let installation: TestInstallation;
let close: TestApi['close'];
let api: TestApp;
let ingest: TestApp;
let owner: TestActor;
let home: string;

beforeAll(async () => {
  let queueUrl: string;
  ({ installation, api, queueUrl, close } = await startTestApi());
  const { ingestUrl } = installation.database;
  ingest = await startApp('usage-ingest', { PERDURE_QUEUE_URL: queueUrl, PERDURE_INGEST_DATABASE_URL: ingestUrl });
  owner = (await installation.workspace()).owner;
  home = mkdtempSync(path.join(os.tmpdir(), 'perdure-cli-usage-'));
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await ingest.stop();
  await close();
});

async function run(...argv: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const env = { HOME: home, PERDURE_URL: api.url, PERDURE_TOKEN: owner.token };
  const stdin = new PassThrough().end();
  const status = await main(['usage', ...argv], { env, stdout, stderr, stdin, cwd: () => home });
  return { status, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

/** Hands in a folder of the cases and waits until every batch of it is applied. */
async function handIn(name: string): Promise<void> {
  const { status, out, err } = await run('report', path.join(CASES, name), '--json');
  expect([status, err]).toEqual([EXIT.done, '']);
  const { batches }: { batches: { batch_id: string }[] } = JSON.parse(out);
  for (const { batch_id } of batches) {
    while ((await installation.call(catalogue.usage.getUsageBatch, owner, { batch_id })).status !== 'applied') {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

it('C1, U3, U6: what transcripts say arrives once, however often it is handed in, and is summed', async () => {
  const folder = 'claude-fork-rewrites-session-id';
  await handIn(folder);
  await handIn(folder);
  const asked = ['summary', '--from', '2026-11-01', '--to', '2026-11-30', '--by', 'model'];
  const { out } = await run(...asked, '--json');
  expect(JSON.parse(out).totals).toMatchObject({
    turns: 2,
    input_tokens: 12,
    output_tokens: 90,
    cache_write_5m_tokens: 100,
    cache_read_tokens: 100,
  });
  const table = await run(...asked);
  expect(table.status).toBe(EXIT.done);
  expect(table.out).toMatch(/^model +turns +input +output/);
  expect(table.out).toMatch(/^claude-opus-4-8 +2 +12 +90 .*█$/m);
});

it('C1, U4: a zone that is none is refused before the server is asked', async () => {
  const { status, err } = await run('summary', '--timezone', 'Mars/Base');
  expect([status, err]).toEqual([EXIT.usage, expect.stringContaining('no IANA time zone')]);
});

it('C1, U3: without a right to report nothing is kept for later, and the status says so', async () => {
  cpSync(path.join(CASES, 'claude-bom.jsonl'), path.join(home, 'session.jsonl'));
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const env = { HOME: home, PERDURE_URL: api.url, PERDURE_TOKEN: `${owner.token.slice(0, -8)}00000000` };
  const stdin = new PassThrough().end();
  const argv = ['usage', 'report', path.join(home, 'session.jsonl'), '--client', 'claude-code'];
  expect(await main(argv, { env, stdout, stderr, stdin, cwd: () => home })).toBe(EXIT.notAllowed);
});
