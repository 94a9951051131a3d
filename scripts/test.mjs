// `npm test [-- jest arguments] [--queue=redis|postgres|both]`: set-up, then every test on real servers.
// Alone it runs all tests on Redis and those that depend on the queue once more on Postgres; with jest arguments it runs
// once, on Redis. A whole run repeats the few files that failed, alone: the machine is at its limit then, with databases,
// workers and browsers beside each other. What fails both times failed; what passed alone is named as unsteady, to be
// looked into. The last line is the sum: `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT, run, setUp } from './setup.mjs';
import { reportFailure } from './terminal-error.mjs';

/** Projects whose tests take another path on the other queue. */
const QUEUE_PROJECTS = ['queues', 'audit-writer', 'usage-ingest', 'e2e', 'api', 'mcp-gateway'];
const QUEUES = { redis: ['redis'], postgres: ['postgres'], both: ['redis', 'postgres'] };

/** More files than this fail for a reason of their own, not for want of a quiet machine. */
const REPEATED_FILES = 3;

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
  const first = await reportOf(queue, jestArguments, path.join(folder, `${queue}.json`));
  const counts = countResults(first.report, { chosen });
  const failed = chosen ? [] : failedFiles(first.report);
  if (failed.length > 0 && failed.length <= REPEATED_FILES) {
    return runAgain({ queue, first: first.report, failed }, path.join(folder, `${queue}-again.json`));
  }
  return first.code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** The files that failed once more, one after the other on the otherwise idle machine; their second result counts. */
async function runAgain({ queue, first, failed }, outputFile) {
  console.log(`\nOnce more, alone, what failed with the queue on ${queue}`);
  const names = failed.map(({ name }) => name);
  const { report, code } = await reportOf(queue, ['--runInBand', '--runTestsByPath', ...names], outputFile);
  const others = first.testResults.filter((file) => !failed.includes(file));
  const passedOf = (files) => files.flatMap((file) => file.assertionResults).filter(isPassed).length;
  const { passed, failed: failures } = countResults(report, { chosen: false });
  const unsteady = failuresIn(failed).filter((title) => !failuresIn(report?.testResults ?? failed).includes(title));
  for (const title of unsteady) console.log(`Unsteady: failed beside others and passed alone: ${title}`);
  return { passed: passedOf(others) + passed, failed: code !== 0 && failures === 0 ? 1 : failures };
}

async function reportOf(queue, jestArguments, outputFile) {
  const jest = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const argv = [jest, '--config', 'jest.config.cjs', ...jestArguments, '--json', `--outputFile=${outputFile}`];
  const env = { ...process.env, PERDURE_TEST_QUEUE: queue };
  // With --json jest prints its whole report on stdout as well; what people read comes on stderr.
  const code = await run(process.execPath, argv, { env, quietStdout: true });
  return { code, report: readReport(outputFile) };
}

const isPassed = ({ status }) => status === 'passed';
const failedFiles = (report) => report?.testResults.filter(({ status }) => status === 'failed') ?? [];
/** A file that could not even be loaded stands for its tests. */
const failuresIn = (files) =>
  files.flatMap(({ name, status, assertionResults }) => {
    const titles = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
    return status === 'failed' && titles.length === 0 ? [path.relative(ROOT, name)] : titles;
  });

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
