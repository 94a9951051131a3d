// One run of jest and what it counted, for `npm test` and `npm run conformance`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT, run } from './setup.mjs';

/**
 * Runs jest on real servers. What people read comes on stderr.
 *
 * @param {{config?: string, queue: string, jestArguments?: string[], chosen?: boolean, env?: Record<string, string>}} planned
 *   `chosen`: somebody picked tests, so those left out are not skipped ones
 * @returns {Promise<{passed: number, failed: number, tests: {title: string, group: string, passed: boolean}[]}>}
 */
export async function runJest({ config = 'jest.config.cjs', queue, jestArguments = [], chosen = false, env = {} }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-report-'));
  try {
    const outputFile = path.join(folder, 'report.json');
    const jest = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
    const argv = [jest, '--config', config, ...jestArguments, '--json', `--outputFile=${outputFile}`];
    // With --json jest prints its whole report on stdout as well.
    const options = { env: { ...process.env, PERDURE_TEST_QUEUE: queue, ...env }, quietStdout: true };
    const code = await run(process.execPath, argv, options);
    const report = readReport(outputFile);
    const counts = countResults(report, chosen);
    const tests = testsIn(report);
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1, tests } : { ...counts, tests };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file that could not even be loaded counts as one failure, and so does a run without a report. */
function countResults(report, chosen) {
  if (!report) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTodoTests } = report;
  // With a name filter everything else counts as pending. Otherwise nothing may be skipped.
  const skipped = chosen ? 0 : numPendingTests + numTodoTests;
  if (skipped > 0) console.log(`${skipped} tests are skipped, which counts as failed.`);
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites + skipped };
}

const testsIn = (report) =>
  (report?.testResults ?? [])
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ title, ancestorTitles, status }) => ({
      title,
      group: ancestorTitles.join(' '),
      passed: status === 'passed',
    }));

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
