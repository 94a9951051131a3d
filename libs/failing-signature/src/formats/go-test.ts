import { group, type ReadRun, type TestFailure } from '../test-failure.js';

const OF_GO = /^(?:ok\s+\S+\s|FAIL\s+\S+\s|\s*--- (?:FAIL|PASS|SKIP): )/m;
const VERDICT = /^\s*--- (?<verdict>FAIL|PASS|SKIP): (?<test>\S+) \([\d.]+s\)$/;
/** With -v what a test logs stands between these. */
const TURN = /^\s*=== (?:RUN|CONT|NAME|PAUSE)\s+(?<test>\S+)$/;
const PACKAGE = /^(?:FAIL|ok)\s+(?<package>\S+)\s+(?:[\d.]+s|\(cached\)|\[.*\])/;
const STACK = /^(?:goroutine \d+ |\[signal |exit status \d+|FAIL$|PASS$)/;

interface JsonEvent {
  readonly Output?: unknown;
}

/** `go test`, plain, with -v or with -json. */
export function readGoTest(output: string): ReadRun | null {
  const text = asText(output);
  if (!OF_GO.test(text)) return null;
  const failures: TestFailure[] = [];
  let failed: string[] = [];
  let messages = new Map<string, string[]>();
  let current: string | null = null;
  for (const line of text.split('\n')) {
    const packageName = group(PACKAGE.exec(line), 'package');
    if (packageName !== '') {
      failures.push(...ofPackage(packageName, failed, messages));
      [failed, messages, current] = [[], new Map<string, string[]>(), null];
      continue;
    }
    const verdict = VERDICT.exec(line);
    if (verdict || TURN.test(line)) current = group(verdict ?? TURN.exec(line), 'test');
    if (group(verdict, 'verdict') === 'FAIL') failed.push(group(verdict, 'test'));
    if (verdict || TURN.test(line)) continue;
    if (STACK.test(line)) current = null;
    if (current !== null) messages.set(current, [...(messages.get(current) ?? []), line]);
  }
  return { failures: [...failures, ...ofPackage('', failed, messages)] };
}

/** Of a test and the subtest that made it fail, the subtest. */
function ofPackage(
  file: string,
  failed: readonly string[],
  messages: ReadonlyMap<string, readonly string[]>,
): TestFailure[] {
  const innermost = failed.filter((test) => !failed.some((other) => other.startsWith(`${test}/`)));
  return innermost.map((test) => ({ file, names: test.split('/'), message: (messages.get(test) ?? []).join('\n') }));
}

/** The lines that -json wraps; anything else as it stands. */
function asText(output: string): string {
  if (!/^\{"Time":/m.test(output)) return output;
  return output
    .split('\n')
    .map((line) => {
      try {
        const { Output } = JSON.parse(line) as JsonEvent; // the shape that `go doc test2json` gives
        return typeof Output === 'string' ? Output : '';
      } catch {
        return `${line}\n`;
      }
    })
    .join('');
}
