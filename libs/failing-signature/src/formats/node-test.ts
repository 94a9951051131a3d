import { group, linesUntil, type ReadRun, type TestFailure } from '../test-failure.js';

const SUMMARY = /^ℹ tests \d+$/m;
const DETAILS = '✖ failing tests:';
const SUITE = /^(?<indent>\s*)▶ (?<name>.+)$/;
const FAILED = /^(?<indent>\s*)✖ (?<name>.+?) \([\d.]+ms\)(?: #.*)?$/;
const LOCATION = /^test at (?<file>.+?):\d+:\d+$/;
const STACK = /^\s+at .*:\d+:\d+\)?(?: \{)?$/;

/** The spec reporter of node:test (Node 20 to 24). */
export function readNodeTest(output: string): ReadRun | null {
  if (!SUMMARY.test(output)) return null;
  const [tree = '', details = ''] = output.split(`\n${DETAILS}\n`);
  const paths = pathsOf(tree.split('\n'));
  const lines = details.split('\n');
  const failures = lines.flatMap((line, index): TestFailure[] => {
    const file = group(LOCATION.exec(line), 'file');
    const name = group(FAILED.exec(lines[index + 1] ?? ''), 'name');
    if (file === '' || name === '') return [];
    const block = linesUntil(lines.slice(index + 2), (next) => LOCATION.test(next) || STACK.test(next));
    // Tests of one name come in the order of the tree.
    const at = paths.findIndex((path) => path.at(-1) === name);
    const [names = [name]] = at === -1 ? [] : paths.splice(at, 1);
    return [{ file, names, message: block.join('\n') }];
  });
  return { failures };
}

/** Failed tests with the suites around them; a suite is closed by its own verdict, which is none of a test. */
function pathsOf(lines: readonly string[]): string[][] {
  const paths: string[][] = [];
  let open: { readonly indent: number; readonly name: string }[] = [];
  for (const line of lines) {
    const [suite, failed] = [SUITE.exec(line), FAILED.exec(line)];
    const match = suite ?? failed;
    if (!match) continue;
    const [indent, name] = [group(match, 'indent').length, group(match, 'name')];
    const closes = failed !== null && open.some((one) => one.indent === indent && one.name === name);
    open = open.filter((one) => one.indent < indent);
    if (suite) open.push({ indent, name });
    else if (!closes) paths.push([...open.map((one) => one.name), name]);
  }
  return paths;
}
