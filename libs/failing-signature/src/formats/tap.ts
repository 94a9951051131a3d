import { Parser } from 'tap-parser';
import { group, type ReadRun, type TestFailure } from '../test-failure.js';

const OF_TAP = /^TAP version 1[34]$|^1\.\.\d+(?: |$)/m;
const TEST_POINT = /^\s*(?:not )?ok\b/m;
const BORDER = ' > ';
const PLACE = /(?<file>[^\s()]+?)(?::\d+){0,2}\)?$/;

/** What is read of a test point's diagnostics; every writer has its own keys. */
interface TestPoint {
  readonly ok: boolean;
  readonly name: string;
  readonly fullname: string;
  readonly skip: unknown;
  readonly todo: unknown;
  readonly closingTestPoint: boolean;
  readonly diag: Readonly<Record<string, unknown>> | null;
}

/** TAP 13 and 14 with subtests, as node:test, node-tap, Perl and others write it. */
export function readTap(output: string): ReadRun | null {
  if (!OF_TAP.test(output) || !TEST_POINT.test(output)) return null;
  return { failures: failuresIn(Parser.parse(output)) };
}

/** A test that holds failed subtests has a test point of its own, which closes them and says nothing more. */
function failuresIn(events: unknown): TestFailure[] {
  if (!Array.isArray(events)) return [];
  return events.flatMap((event): TestFailure[] => {
    const [type, value] = event as [string, unknown]; // tap-parser's event logs are pairs
    if (type === 'child') return failuresIn(value);
    if (type !== 'assert') return [];
    const point = value as TestPoint; // what tap-parser emits with `assert`
    const counts = !point.ok && !point.closingTestPoint && falsy(point.skip) && falsy(point.todo);
    return counts ? [failureOf(point)] : [];
  });
}

const falsy = (value: unknown): boolean => value === false || value === undefined || value === null;

function failureOf({ name, fullname, diag }: TestPoint): TestFailure {
  const outer = fullname.endsWith(BORDER + name) ? fullname.slice(0, -(BORDER + name).length).split(BORDER) : [];
  const said = (key: string): string => {
    const value = diag?.[key];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const at = said('location') || said('file') || said('at');
  return {
    file: group(PLACE.exec(at), 'file'),
    names: [...outer, name],
    message: ['error', 'message', 'operator', 'expected', 'actual', 'found', 'wanted'].map(said).join('\n'),
  };
}
