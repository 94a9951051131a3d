import { createHash } from 'node:crypto';
import { firstErrorLine } from './formats/any-output.js';
import { readCargoTest } from './formats/cargo-test.js';
import { readGoTest } from './formats/go-test.js';
import { readJest } from './formats/jest.js';
import { readJunitXml } from './formats/junit-xml.js';
import { readMocha } from './formats/mocha.js';
import { readNodeTest } from './formats/node-test.js';
import { readPytest } from './formats/pytest.js';
import { readTap } from './formats/tap.js';
import { readVitest } from './formats/vitest.js';
import { plainText, stableText } from './stable-text.js';
import { projectPath, type FormatReader, type TestFailure } from './test-failure.js';

/** A reader for each tool. An output may hold the runs of several, one after the other. */
export const FORMATS: Readonly<Record<string, FormatReader>> = {
  jest: readJest,
  vitest: readVitest,
  pytest: readPytest,
  'go test': readGoTest,
  'cargo test': readCargoTest,
  'junit xml': readJunitXml,
  tap: readTap,
  'node:test': readNodeTest,
  mocha: readMocha,
};

export interface TestRun {
  /** Exit status of the command; without one the output itself must say whether the tests passed. */
  readonly status?: number;
  /** Absolute path of the project: files below it are named relative to it. */
  readonly root?: string;
}

export interface FailingSignature {
  /** One line of at most 200 code points (L4), or null when the tests passed. */
  readonly signature: string | null;
  /** In a stable order, whatever order they ran in; empty when no test can be named. */
  readonly failingTests: readonly TestFailure[];
}

/** Leaves room for the digest: 200 code points are the most (L4). */
const WORDS_LIMIT = 180;

/**
 * The first failing test, and a digest of what its assertion said: equal for two runs that fail in the same way, and
 * holding no word of the message, which may quote a secret.
 */
export function failingSignature(output: string, { status, root }: TestRun = {}): FailingSignature {
  if (status === 0) return { signature: null, failingTests: [] };
  const text = plainText(output);
  const runs = Object.values(FORMATS).flatMap((read) => read(text) ?? []);
  const failingTests = inStableOrder(runs.flatMap(({ failures }) => failures).map((one) => named(one, root)));
  const [first] = failingTests;
  if (first !== undefined) return { signature: signatureOf(first), failingTests };
  if (status === undefined && runs.length > 0) return { signature: null, failingTests: [] };
  const message = firstErrorLine(text) ?? `exit status ${status ?? 'unknown'}`;
  return { signature: signatureOf({ file: '', names: [], message }), failingTests: [] };
}

const named = (failure: TestFailure, root: string | undefined): TestFailure => ({
  ...failure,
  file: projectPath(failure.file, root),
});

/** Each once: tools repeat their failures in a summary. */
function inStableOrder(failures: readonly TestFailure[]): TestFailure[] {
  const first = new Map<string, TestFailure>();
  for (const failure of failures) {
    const key = titleOf(failure);
    if (!first.has(key)) first.set(key, failure);
  }
  return [...first].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, failure]) => failure);
}

const titleOf = ({ file, names }: TestFailure): string => [file, ...names].filter((part) => part !== '').join(' > ');

function signatureOf(failure: TestFailure): string {
  const title = stableText(titleOf(failure)) || 'no test';
  const digest = createHash('sha256')
    .update(`${title}\n${stableText(failure.message)}`)
    .digest('hex')
    .slice(0, 16);
  return `${[...title].slice(0, WORDS_LIMIT).join('')} #${digest}`;
}
