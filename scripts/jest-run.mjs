// One run of jest on real servers and what it counted, for `npm test` and `npm run conformance`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT, run } from './setup.mjs';

/** More files than this fail for a reason of their own, not for want of a quiet machine. */
const REPEATED_FILES = 3;

/**
 * Runs jest; a whole run repeats the few files that failed, alone.
 *
 * @param {{config?: string, queue: string, jestArguments?: string[], chosen?: boolean, env?: Record<string, string>}} planned
 *   `chosen`: somebody picked tests, so those left out are not skipped ones
 * @returns {Promise<{passed: number, failed: number, files: object[]}>} `files`: jest's results, by file
 */
export async function runJest(planned) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-report-'));
  try {
    const { report, code } = await reportOf(planned, path.join(folder, 'first.json'));
    const failed = planned.chosen ? [] : failedFiles(report);
    if (failed.length > 0 && failed.length <= REPEATED_FILES) {
      return await runAgain(planned, { first: report, failed }, path.join(folder, 'again.json'));
    }
    const counts = countResults(report, planned);
    const files = report?.testResults ?? [];
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1, files } : { ...counts, files };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Counts of one run. A file that could not even be loaded counts as one failure, and so does a run without a report. */
function countResults(report, { chosen = false }) {
  if (!report) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTodoTests } = report;
  // With a name filter everything else counts as pending. Otherwise nothing may be skipped.
  const skipped = chosen ? 0 : numPendingTests + numTodoTests;
  if (skipped > 0) console.log(`${skipped} tests are skipped, which counts as failed.`);
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites + skipped };
}

/** The files that failed once more, one after the other on the otherwise idle machine; their second result counts. */
async function runAgain(planned, { first, failed }, outputFile) {
  console.log('\nOnce more, alone, what failed');
  const names = failed.map(({ name }) => name);
  const alone = { ...planned, jestArguments: ['--runInBand', '--runTestsByPath', ...names] };
  const { report, code } = await reportOf(alone, outputFile);
  const others = first.testResults.filter((file) => !failed.includes(file));
  const passedOf = (files) => files.flatMap((file) => file.assertionResults).filter(isPassed).length;
  const { passed, failed: failures } = countResults(report, {});
  const unsteady = failuresIn(failed).filter((title) => !failuresIn(report?.testResults ?? failed).includes(title));
  for (const title of unsteady) console.log(`Unsteady: failed beside others and passed alone: ${title}`);
  return {
    passed: passedOf(others) + passed,
    failed: code !== 0 && failures === 0 ? 1 : failures,
    files: [...others, ...(report?.testResults ?? failed)],
  };
}

async function reportOf({ config = 'jest.config.cjs', queue, jestArguments = [], env = {} }, outputFile) {
  const jest = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const argv = [jest, '--config', config, ...jestArguments, '--json', `--outputFile=${outputFile}`];
  // With --json jest prints its whole report on stdout as well; what people read comes on stderr.
  const options = { env: { ...process.env, PERDURE_TEST_QUEUE: queue, ...env }, quietStdout: true };
  const code = await run(process.execPath, argv, options);
  return { code, report: readReport(outputFile) };
}

export const isPassed = ({ status }) => status === 'passed';
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
