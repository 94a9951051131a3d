// `npm run bench [-- --quick] [--only mcp-calls,linking …]`: each figure beside a ceiling measured in the same run.
// Prints tables and writes bench/results/<name>.json. About ten minutes; --quick half a minute, to try the bench itself.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY_ROOT } from '@perdure/stack/services';
import { measureAuditedWrite } from './audited-write.js';
import { measureAuthentication } from './authentication.js';
import { startCluster } from './bench-cluster.js';
import type { BenchContext } from './context.js';
import { measureLag } from './lag.js';
import { measureLinking } from './linking.js';
import { fileSystemOf, machine, machineLine } from './machine.js';
import { measureMcpCalls } from './mcp-calls.js';
import { tableOf, writeResult, type Measurement } from './report.js';
import { measureReadsAtScale } from './reads-at-scale.js';
import { measureRevocation } from './revocation.js';
import { measureRuleQuery } from './rule-query.js';
import { measureSessionStart } from './session-start.js';
import { measureToolTokens } from './tool-tokens.js';
import { measureTranscriptReading } from './transcript-reading.js';
import { measureUsageIngest } from './usage-ingest.js';
import { measureUsageSummary } from './usage-summary.js';

const MEASUREMENTS: Readonly<Record<string, (context: BenchContext) => Promise<Measurement>>> = {
  'mcp-calls': measureMcpCalls,
  'audited-write': measureAuditedWrite,
  linking: measureLinking,
  lag: measureLag,
  'session-start': measureSessionStart,
  'rule-query': measureRuleQuery,
  'reads-at-scale': measureReadsAtScale,
  'usage-ingest': measureUsageIngest,
  'usage-summary': measureUsageSummary,
  authentication: measureAuthentication,
  revocation: measureRevocation,
  'tool-tokens': measureToolTokens,
  'transcript-reading': measureTranscriptReading,
};

const FULL = { plan: { rounds: 5, slotMs: 2500 }, size: 1 };
const QUICK = { plan: { rounds: 2, slotMs: 600 }, size: 0.05 };
const RESULTS = path.join(REPOSITORY_ROOT, 'bench', 'results');

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } });
  const names = values.only?.split(',') ?? Object.keys(MEASUREMENTS);
  const unknown = names.filter((name) => !(name in MEASUREMENTS));
  if (unknown.length > 0)
    throw new Error(`There is no ${unknown.join(', ')}. There are: ${Object.keys(MEASUREMENTS).join(', ')}.`);
  const at = machine();
  const startedAt = performance.now();
  console.log(machineLine(at));
  if (at.load > at.cores) console.log('The machine is busy with something else: trust the ratios, not the figures.');
  const cluster = await startCluster();
  console.log(`Postgres 18, fsync on, data on ${fileSystemOf(cluster.dataDir)}; queue: ${cluster.queueKind}`);
  try {
    for (const name of names) {
      const measurement = await MEASUREMENTS[name]?.({ cluster, ...(values.quick ? QUICK : FULL) });
      if (measurement === undefined) continue;
      console.log(
        ['', measurement.title, ...tableOf(measurement), ...measurement.method.map((line) => `  ${line}`)].join('\n'),
      );
      writeResult(RESULTS, measurement, { machine: at, quick: values.quick });
    }
  } finally {
    await cluster.close();
  }
  console.log(
    `\n${Math.round((performance.now() - startedAt) / 1000)} s; figures in ${path.relative(process.cwd(), RESULTS)}`,
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
