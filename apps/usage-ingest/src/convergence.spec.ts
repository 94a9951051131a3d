import type { UsageReport, UsageResponse } from '@perdure/contracts';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { applyOldestBatch } from './apply-batch.js';
import { reconcileWorkspace } from './housekeeping.js';
import { sqlStateOf } from './isolate-poison.js';
import { openUsageBench, type UsageBench } from './testing/usage-bench.js';

// Dozens of workspaces with several workers each: on a busy machine more than the usual minute.
jest.setTimeout(240_000);

const TRANSCRIPTS = ['a', 'b', 'c', 'd'];
const MODELS = ['m', 'n'];
const VERSIONS = 3;

interface Content {
  /** A number of a response, and the quarter of an hour in which this transcript has it first; null: names none. */
  readonly responses: readonly (readonly [response: number, quarter: number])[] | null;
  /** Turns beside the responses. */
  readonly rest: number;
}

const content: fc.Arbitrary<Content> = fc.record({
  responses: fc.option(
    fc.uniqueArray(fc.tuple(fc.nat(4), fc.nat(2)), { selector: ([response]) => response, maxLength: 4 }),
    { nil: null, freq: 3 },
  ),
  rest: fc.nat(2),
});

/** What every version of every transcript says; which of them arrive, in what order, how often, and in what batches. */
const scenario = fc.record({
  contents: fc.array(content, { minLength: TRANSCRIPTS.length * VERSIONS, maxLength: TRANSCRIPTS.length * VERSIONS }),
  arrivals: fc.array(fc.tuple(fc.nat(TRANSCRIPTS.length - 1), fc.nat(VERSIONS - 1)), { minLength: 1, maxLength: 24 }),
  batchSize: fc.integer({ min: 1, max: 6 }),
});

/** The output of a response is a power of two, so that a sum says which ones are in it. */
const responseOf = ([response, quarter]: readonly [number, number]): UsageResponse => ({
  hash: String(response).repeat(16),
  first_at: new Date(Date.UTC(2026, 4, 1, 10, 15 * quarter)).toISOString(),
  model: MODELS[response % 2] ?? '',
  input_tokens: 0,
  output_tokens: 2 ** response,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
  cache_read_tokens: 0,
});

function reportOf(transcript: number, version: number, { responses, rest }: Content): UsageReport {
  const named = (responses ?? []).map(responseOf);
  const nothing = { input_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0, cache_read_tokens: 0 };
  const models = MODELS.map((model) => {
    const own = named.filter((response) => response.model === model);
    const output_tokens = own.reduce((sum, response) => sum + response.output_tokens, 0) + rest * 1_000;
    return { model, turns: own.length + rest, output_tokens, ...nothing };
  });
  return {
    transcript_id: TRANSCRIPTS[transcript] ?? '',
    client: 'c',
    version: { generation: 1, complete_bytes: version, records: 0 },
    ...(responses === null ? {} : { responses: named }),
    models,
  };
}

/** The rule of U6 over the newest reports, as the requirement says it. */
function expectedOutputs(newest: readonly UsageReport[]): Record<string, number> {
  const outputs = newest.map((report) => {
    const lost = (report.responses ?? []).filter((response) => ownerOf(response.hash, newest) !== report.transcript_id);
    const told = report.models.reduce((sum, model) => sum + model.output_tokens, 0);
    return [report.transcript_id, told - lost.reduce((sum, response) => sum + response.output_tokens, 0)] as const;
  });
  return Object.fromEntries(outputs.filter(([, output]) => output > 0));
}

function ownerOf(hash: string, reports: readonly UsageReport[]): string | undefined {
  const claims = reports.flatMap(({ transcript_id: id, responses = [] }) =>
    responses.filter((response) => response.hash === hash).map(({ first_at: at }) => `${at} ${id}`),
  );
  return claims.toSorted()[0]?.split(' ')[1];
}

describe('convergence', () => {
  let bench: UsageBench;
  let workers: Pool[];

  beforeAll(async () => {
    bench = await openUsageBench();
    workers = [1, 2, 3].map(() => bench.newIngestPool());
  });
  afterAll(() => bench.close());

  /** As the worker's loop does it: what passes is tried again. */
  async function drain(pool: Pool): Promise<void> {
    for (;;) {
      try {
        if ((await applyOldestBatch(pool, new Set())) === null) return;
      } catch (error) {
        if (sqlStateOf(error) !== '40P01') throw error;
      }
    }
  }

  it('U2, U6: any order, repetition and interleaving over several workers gives the totals of the newest', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ contents, arrivals, batchSize }) => {
        const workspace = await bench.installation.workspace();
        const contentOf = (transcript: number, version: number): Content =>
          contents[transcript * VERSIONS + version] ?? { responses: null, rest: 0 };
        const reports = arrivals.map(([transcript, version]) =>
          reportOf(transcript, version, contentOf(transcript, version)),
        );
        for (let start = 0; start < reports.length; start += batchSize) {
          await bench.submit(workspace.id, reports.slice(start, start + batchSize));
        }
        await Promise.all(workers.map(drain));
        const newest = TRANSCRIPTS.flatMap((_name, transcript) => {
          const versions = arrivals.filter(([arrived]) => arrived === transcript).map(([, version]) => version);
          const version = Math.max(...versions);
          return versions.length === 0 ? [] : [reportOf(transcript, version, contentOf(transcript, version))];
        });
        expect(await bench.outputs(workspace.id)).toEqual(expectedOutputs(newest));
        expect(await reconcileWorkspace(bench.ingest, workspace.id)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
