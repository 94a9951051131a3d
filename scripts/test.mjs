// `npm test [-- jest arguments] [--queue=redis|postgres|both]`: set-up, then every test on real servers.
// Alone it runs all tests on Redis and those that depend on the queue once more on Postgres; with jest arguments it runs
// once, on Redis. The last line is the sum: `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT, run, setUp } from './setup.mjs';
import { reportFailure } from './terminal-error.mjs';

/** Projects whose tests take another path on the other queue. */
const QUEUE_PROJECTS = ['queues', 'audit-writer', 'usage-ingest', 'e2e', 'api', 'mcp-gateway'];
const QUEUES = { redis: ['redis'], postgres: ['postgres'], both: ['redis', 'postgres'] };

/** What to run: one entry per jest run. */
function planRuns(argv) {
  const asked = argv
    .filter((argument) => argument.startsWith('--queue='))
    .at(-1)
    ?.slice('--queue='.length);
  if (asked !== undefined && !(asked in QUEUES)) throw new Error(`--queue is redis, postgres or both, not ${asked}.`);
  const jestArguments = argv.filter((argument) => !argument.startsWith('--queue='));
  const chosen = jestArguments.length > 0;
  if (chosen || asked === 'redis' || asked === 'postgres') {
    return QUEUES[asked ?? 'redis'].map((queue) => ({ queue, jestArguments, chosen }));
  }
  return [
    { queue: 'redis', jestArguments: [], chosen },
    { queue: 'postgres', jestArguments: ['--selectProjects', ...QUEUE_PROJECTS], chosen },
  ];
}

/** Counts of one run. A file that could not even be loaded counts as one failure, and so does a run without a report. */
function countResults(report, { chosen }) {
  if (!report) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTodoTests } = report;
  // With a name filter everything else counts as pending. Otherwise nothing may be skipped.
  const skipped = chosen ? 0 : numPendingTests + numTodoTests;
  if (skipped > 0) console.log(`${skipped} tests are skipped, which counts as failed.`);
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites + skipped };
}

async function runJest({ queue, jestArguments, chosen }, folder) {
  console.log(`\nTests with the queue on ${queue}`);
  const outputFile = path.join(folder, `${queue}.json`);
  const jest = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const argv = [jest, '--config', 'jest.config.cjs', ...jestArguments, '--json', `--outputFile=${outputFile}`];
  const env = { ...process.env, PERDURE_TEST_QUEUE: queue };
  // With --json jest prints its whole report on stdout as well; what people read comes on stderr.
  const code = await run(process.execPath, argv, { env, quietStdout: true });
  const counts = countResults(readReport(outputFile), { chosen });
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

async function main(argv) {
  const runs = planRuns(argv);
  await setUp();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-report-'));
  const total = { passed: 0, failed: 0 };
  try {
    for (const planned of runs) {
      const { passed, failed } = await runJest(planned, folder);
      total.passed += passed;
      total.failed += failed;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (total.passed + total.failed === 0) console.log('\nNo test ran.');
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = await main(process.argv.slice(2)).catch(reportFailure);
}
