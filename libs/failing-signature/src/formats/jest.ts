import { group, linesUntil, type ReadRun, type TestFailure } from '../test-failure.js';

const SUMMARY = /^Test Suites: .*\btotal$/m;
/** With a project's name before the file and a duration after it where there are any. */
const FILE = /^ ?(?:FAIL|PASS)\s+(?:\S.*\s)?(?<file>\S+\.\w+)(?: \([\d.]+ m?s\))?$/;
const TITLE = /^ {2}● (?<title>.+)$/;
/** Blocks under the same sign that are no tests. */
const NO_TEST = /^(?:Console|Cannot log after tests are done)/;
const NO_NAME = 'Test suite failed to run';
const FRAME_OR_STACK = /^\s*(?:>?\s*\d+ \||at )/;

/** Jest's default reporter (jest 27 to 30). */
export function readJest(output: string): ReadRun | null {
  if (!SUMMARY.test(output)) return null;
  const lines = output.split('\n');
  const failures: TestFailure[] = [];
  let file = '';
  for (const [index, line] of lines.entries()) {
    file = group(FILE.exec(line), 'file') || file;
    const title = group(TITLE.exec(line), 'title');
    if (title === '' || NO_TEST.test(title)) continue;
    const block = linesUntil(lines.slice(index + 1), (next) => TITLE.test(next) || FILE.test(next));
    failures.push({
      file,
      names: title === NO_NAME ? [] : title.split(' › '),
      message: linesUntil(block, (next) => FRAME_OR_STACK.test(next)).join('\n'),
    });
  }
  return { failures };
}
