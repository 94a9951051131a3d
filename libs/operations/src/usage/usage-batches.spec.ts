import { catalogue, type Caller } from '@perdure/contracts';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';
import { Client } from 'pg';
import { mintToken } from '../access/token.js';
import { createOperations } from '../dispatcher/create-operations.js';
import { createDataSource } from '@perdure/store';
import { model, transcript } from './testing/transcripts.js';

const { submitUsageBatch, getUsageBatch } = catalogue.usage;

let installation: TestInstallation;
let workspace: TestWorkspace;
let reporter: TestActor;
let admin: Client;

beforeAll(async () => {
  installation = await createTestInstallation();
  admin = new Client({ connectionString: installation.database.superuserUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await installation.close();
});
beforeEach(async () => {
  workspace = await installation.workspace();
  reporter = await workspace.actor('job', 'reporter');
});

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const submit = (batch_key: string, ...reports: object[]) =>
  installation.operations.run(submitUsageBatch, reporter.caller, { batch_key, reports }, { requestId: 'test' });
const submitLines = (batch_key: string, text: string, caller: Caller = reporter.caller) =>
  installation.operations.run(
    submitUsageBatch,
    caller,
    { batch_key, reports: [] },
    { requestId: 'test', lines: chunks(text) },
  );
const batch = (batchId: unknown, actor = reporter) =>
  installation.call(getUsageBatch, actor, { batch_id: String(batchId) });

test('U3: it is durable when it answers, and the same key again is the same batch', async () => {
  const { output } = await submit('k', transcript('a'), transcript('b'));
  expect(output).toMatchObject({ status: 'received', received: 2 });
  const { rows } = await admin.query('SELECT line, report FROM usage_batch_item WHERE batch_id = $1 ORDER BY line', [
    output['batch_id'],
  ]);
  expect(rows).toEqual([
    { line: 1, report: transcript('a') },
    { line: 2, report: transcript('b') },
  ]);
  expect((await submit('k', transcript('c'))).output).toEqual(output);
  expect((await submitLines('k', 'no JSON')).output).toEqual(output);
  const senders = await Promise.all(Array.from({ length: 8 }, () => submit('at once', transcript('a'))));
  expect(new Set(senders.map((sent) => sent.output['batch_id'])).size).toBe(1);
});

test('U3: a bad line is rejected by its number with a code, and the others are taken', async () => {
  const good = JSON.stringify(transcript('good'));
  const { token } = mintToken('01K5ZQ8W3M9X7B2C4D6E8F0G1H');
  const lines = [
    good,
    '{"transcript_id":',
    '',
    JSON.stringify({ ...transcript('negative'), models: [model('a', { turns: -1 })] }),
    JSON.stringify({ ...transcript('fraction'), models: [model('a', { turns: 1.5 })] }),
    JSON.stringify(transcript('big')).replace('"turns":1', '"turns":9007199254740992'),
    JSON.stringify({ ...transcript('nul'), client: 'a\u0000b' }),
    JSON.stringify({ ...transcript('unknown'), turns: 1 }),
    JSON.stringify({ ...transcript('secret'), warnings: [`key ${token}`] }),
    '[]',
  ];
  const { output } = await submitLines('k', lines.join('\r\n'));
  expect(output['received']).toBe(9);
  const { results, counts, status } = await batch(output['batch_id']);
  expect([status, counts.rejected]).toEqual(['received', 8]);
  expect(results.map((result) => [result.line, result.code, result.transcript_id])).toEqual([
    [2, 'invalid_input', undefined],
    [4, 'invalid_input', 'negative'],
    [5, 'invalid_input', 'fraction'],
    [6, 'invalid_input', 'big'],
    [7, 'invalid_input', 'nul'],
    [8, 'invalid_input', 'unknown'],
    [9, 'secret_detected', undefined],
    [10, 'invalid_input', undefined],
  ]);
  expect(results[1]?.message).toContain('models.0.turns');
  expect(JSON.stringify(results)).not.toContain(token.slice(-12));
  const { rowCount } = await admin.query('SELECT FROM usage_batch_item WHERE strpos(report::text, $1) > 0', [
    token.slice(-12),
  ]);
  expect(rowCount).toBe(0);
});

test('U3: in a list a bad item is rejected by its place', async () => {
  const { output } = await submit('k', transcript('a'), { ...transcript('b'), models: [model('a', { turns: -1 })] });
  expect((await batch(output['batch_id'])).results).toMatchObject([
    { line: 2, transcript_id: 'b', status: 'rejected', code: 'invalid_input' },
  ]);
});

test('L4: a secret in a list refuses the call', async () => {
  const { token } = mintToken('01K5ZQ8W3M9X7B2C4D6E8F0G1H');
  const refusal = await refusalOf(submit('k', { ...transcript('a'), client: token }));
  expect(refusal).toMatchObject({ code: 'secret_detected', details: { field: 'reports.0.client' } });
});

test('U3: 10,001 reports are refused as a whole, as a list and as lines', async () => {
  const report = transcript('t');
  const many = Array.from({ length: 10_001 }, () => report);
  expect(await refusalOf(submit('list', ...many))).toMatchObject({ code: 'invalid_input' });
  const line = `${JSON.stringify(report)}\n`;
  expect(await refusalOf(submitLines('lines', line.repeat(10_001)))).toMatchObject({ code: 'too_large' });
  const { rowCount } = await admin.query('SELECT FROM usage_batch WHERE workspace_id = $1', [workspace.id]);
  expect(rowCount).toBe(0);
});

test('U3: a body that breaks off leaves nothing', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${JSON.stringify(transcript('a'))}\n`.repeat(2_000));
    throw new Error('the client is gone');
  }
  const sent = installation.operations.run(
    submitUsageBatch,
    reporter.caller,
    { batch_key: 'k', reports: [] },
    { requestId: 'test', lines: broken() },
  );
  expect(await refusalOf(sent)).toMatchObject({ code: 'internal' });
  const { rowCount } = await admin.query('SELECT FROM usage_batch_item WHERE workspace_id = $1', [workspace.id]);
  expect(rowCount).toBe(0);
});

test('U3: while more waits than may, further batches are put off, and known ones still answered', async () => {
  const dataSource = await createDataSource({
    url: installation.database.appUrl,
    poolSize: 2,
    applicationName: 'test',
  });
  const woken: string[] = [];
  const operations = createOperations({
    dataSource,
    usageBacklogLimit: 2,
    onUsageReceived: (workspaceId) => woken.push(workspaceId),
  });
  const send = (batch_key: string) =>
    operations.run(
      submitUsageBatch,
      reporter.caller,
      { batch_key, reports: [transcript('a'), transcript('b')] },
      { requestId: 'test' },
    );
  const first = await send('one');
  const refusal = await refusalOf(send('two'));
  expect(refusal).toMatchObject({ code: 'rate_limited', details: { waiting: 2, retry_after_seconds: 5 } });
  expect((await send('one')).output).toEqual(first.output);
  expect(new Set(woken)).toEqual(new Set([workspace.id]));
  await operations.close();
  await dataSource.destroy();
});

test('I4: the quota of a day counts every line once, and a batch over it is refused', async () => {
  await installation.call(catalogue.platform.setWorkspaceQuota, installation.platform, {
    workspace: workspace.id,
    usage_reports_per_day: 3,
  });
  await submit('k', transcript('a'), transcript('b'));
  await submit('k', transcript('a'), transcript('b'));
  expect(await refusalOf(submit('l', transcript('c'), transcript('d')))).toMatchObject({
    code: 'quota_exceeded',
    details: { used: 2, limit: 3 },
  });
  expect((await submit('m', transcript('c'))).output).toMatchObject({ received: 1 });
});

test('I5: results can be read with usage:write, and with usage:read, and with neither not', async () => {
  const { output } = await submit('k');
  const holding = async (...scopes: ('usage:read' | 'usage:write' | 'audit:read')[]) => {
    const { secret } = await installation.call(catalogue.access.issueCredential, workspace.owner, {
      actor: 'x',
      scopes,
    });
    const caller = secret === null ? null : await installation.operations.authenticate(secret);
    if (caller === null || secret === null) throw new Error('a new credential is not accepted');
    return { caller, token: secret };
  };
  for (const scope of ['usage:read', 'usage:write'] as const) {
    expect(await batch(output['batch_id'], await holding(scope))).toMatchObject({ received: 0 });
  }
  const refusal = await refusalOf(batch(output['batch_id'], await holding('audit:read')));
  expect(refusal).toMatchObject({ code: 'forbidden_scope' });
});
