import { group, linesUntil, type ReadRun, type TestFailure } from '../test-failure.js';

const SUMMARY = /^\s*\d+ passing \([^)]*\)$/m;
const FAILING = /^\s*\d+ failing$/;
const NUMBERED = /^ {2}\d+\) (?<name>.+)$/;
const STACK = /^\s+at /;
const LOCATION = /\((?<inner>[^()\s]+):\d+:\d+\)$|\bat (?<bare>[^()\s]+):\d+:\d+$/;
/** What stands on a stack without being of the project. */
const FOREIGN = /^node:|[\\/]node_modules[\\/]/;

/** Mocha's spec reporter, and those that print its list of failures. */
export function readMocha(output: string): ReadRun | null {
  if (!SUMMARY.test(output)) return null;
  const lines = output.split('\n');
  const start = lines.findIndex((line) => FAILING.test(line));
  if (start === -1) return { failures: [] };
  const failures = lines.flatMap((line, index): TestFailure[] => {
    if (index <= start || !NUMBERED.test(line)) return [];
    return [
      failureOf(
        linesUntil(lines.slice(index + 1), (next) => NUMBERED.test(next)),
        line,
      ),
    ];
  });
  return { failures };
}

/** Titles go from the number to the line that ends with a colon, each deeper than the one before. */
function failureOf(block: readonly string[], first: string): TestFailure {
  const titles = [group(NUMBERED.exec(first), 'name')];
  let read = 0;
  while (!titles.at(-1)?.endsWith(':') && (block[read] ?? '').trim() !== '') {
    titles.push((block[read] ?? '').trim());
    read += 1;
  }
  const names = titles.map((title, index) => (index === titles.length - 1 ? title.replace(/:$/, '') : title));
  const rest = block.slice(read);
  const places = rest.map((line) => LOCATION.exec(line)).map((match) => group(match, 'inner') || group(match, 'bare'));
  const file = places.find((place) => place !== '' && !FOREIGN.test(place)) ?? '';
  return { file, names, message: linesUntil(rest, (line) => STACK.test(line)).join('\n') };
}
