import { catalogue, INLINE_USAGE_ROWS, type Download } from '@perdure/contracts';
import { createTestInstallation, type TestActor, type TestInstallation } from '@perdure/testkit';
import { model, transcript } from './testing/transcripts.js';

const { exportUsage, recordBuildSessionUsage } = catalogue.usage;

let installation: TestInstallation;
let owner: TestActor;
let session: string;

beforeAll(async () => {
  installation = await createTestInstallation();
});
afterAll(() => installation.close());
beforeEach(async () => {
  owner = (await installation.workspace()).owner;
  await installation.call(catalogue.projects.createProject, owner, { name: 'demo', slug: 'demo' });
  const started = await installation.call(catalogue.sessions.startBuildSession, owner, {
    project: 'demo',
    computer: 'desk',
    branch: 'main',
  });
  session = started.build_session.id;
});

const record = (...transcripts: ReturnType<typeof transcript>[]) =>
  installation.call(recordBuildSessionUsage, owner, { build_session_id: session, transcripts });

const range = { from: '2026-05-01', to: '2026-05-31' };

async function streamed(format: 'csv' | 'ndjson'): Promise<{ download: Download; text: string }> {
  const options = { requestId: 'test', takesDownload: true };
  const { download } = await installation.operations.run(exportUsage, owner.caller, { ...range, format }, options);
  if (download === undefined) throw new Error('nothing to download');
  const pieces: Uint8Array[] = [];
  for await (const piece of download.bytes) pieces.push(piece);
  return { download, text: Buffer.concat(pieces).toString('utf8') };
}

const inline = (format: 'csv' | 'ndjson') => installation.call(exportUsage, owner, { ...range, format });

test('U4: a row by day, transcript and model, the same streamed as in an answer', async () => {
  const at = { first_at: '2026-05-01T10:00:00Z' };
  await record(
    { ...transcript('t', { models: [model('b', { output_tokens: 2 }), model('a')] }), ...at },
    { ...transcript('t/agent', { models: [model('a')] }), ...at, parent_transcript_id: 't', quality: 'estimated' },
    { ...transcript('elsewhere'), first_at: '2026-06-01T00:00:00Z' },
  );
  const { download, text } = await streamed('ndjson');
  expect([download.mediaType, download.fileName]).toEqual([
    'application/x-ndjson',
    'usage-2026-05-01-2026-05-31.ndjson',
  ]);
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>); // a row is an object
  expect(rows.map((row) => [row['transcript_id'], row['model'], row['output_tokens'], row['quality']])).toEqual([
    ['t', 'a', 0, 'exact'],
    ['t', 'b', 2, 'exact'],
    ['t/agent', 'a', 0, 'estimated'],
  ]);
  expect(rows[2]).toMatchObject({ day: '2026-05-01', project: 'demo', parent_transcript_id: 't', turns: 1 });
  expect(await inline('ndjson')).toEqual({ content: text, rows: 3, complete: true });
  const csv = await streamed('csv');
  expect(csv.download.mediaType).toBe('text/csv');
  expect(await inline('csv')).toEqual({ content: csv.text, rows: 3, complete: true });
  expect(csv.text.split('\r\n')[0]?.split(',')).toEqual(Object.keys(rows[0] ?? {}));
});

test.each([
  ['=1+1', `'=1+1`],
  ['+1', `'+1`],
  ['-1', `'-1`],
  ['@SUM(A1)', `'@SUM(A1)`],
  ['  =1', `'  =1`],
  ['\t=1', `'\t=1`],
  ['＝1', `'＝1`],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['a,"b"', `"a,""b"""`],
  ['plain-model', 'plain-model'],
])('U4: the cell %j is written as %j', async (name, written) => {
  await record({ ...transcript('t', { models: [model(name)] }), first_at: '2026-05-01T10:00:00Z' });
  const { text } = await streamed('csv');
  expect(text.split('\r\n')[1]).toBe(`2026-05-01,demo,${session},owner,claude-code,t,,${written},exact,1,0,0,0,0,0`);
});

test('U4: an answer holds so many rows and says that there are more; a stream holds all', async () => {
  const models = Array.from({ length: 200 }, (_, index) => model(`m${index}`));
  for (let part = 0; part < 11; part += 1) {
    await record({ ...transcript(`t${part}`, { models }), first_at: '2026-05-01T10:00:00Z' });
  }
  expect(await inline('csv')).toMatchObject({ rows: INLINE_USAGE_ROWS, complete: false });
  const { text } = await streamed('ndjson');
  expect(text.split('\n')).toHaveLength(2_201);
});

test('I1: an export holds nothing of another workspace', async () => {
  await record({ ...transcript('t'), first_at: '2026-05-01T10:00:00Z' });
  owner = (await installation.workspace()).owner;
  expect((await streamed('ndjson')).text).toBe('');
});
