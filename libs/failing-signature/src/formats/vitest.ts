import { group, linesUntil, type ReadRun, type TestFailure } from '../test-failure.js';

const SUMMARY = /^\s*Test Files .*\(\d+\)$/m;
const FAILED = /^\s*FAIL\s+(?:\|[^|]+\|\s+)?(?<file>\S+\.\w+)(?: \[ .* \])?(?<names>(?: > .+)?)$/;
const END = /^\s*(?:❯ .*:\d+:\d+|\d+\||⎯)/;

/** Vitest's default reporter (vitest 1 to 4). */
export function readVitest(output: string): ReadRun | null {
  if (!SUMMARY.test(output)) return null;
  const lines = output.split('\n');
  const failures = lines.flatMap((line, index): TestFailure[] => {
    const match = FAILED.exec(line);
    if (!match) return [];
    const names = group(match, 'names').split(' > ').slice(1);
    // Tests that fail alike stand one below the other, above the one message of theirs.
    const rest = lines.slice(index + 1);
    const message = rest.slice(rest.findIndex((next) => !FAILED.test(next)));
    return [{ file: group(match, 'file'), names, message: linesUntil(message, (next) => END.test(next)).join('\n') }];
  });
  return { failures };
}
