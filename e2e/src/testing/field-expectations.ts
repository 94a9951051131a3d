import type { FieldWorld } from './field-world.js';
import type { Answer } from './run-steps.js';

interface Expected {
  readonly error?: string;
  readonly kind?: string;
  readonly names?: string;
  readonly titles?: readonly string[];
  readonly count?: number;
}

/** Values that the cases give in words. */
const IN_WORDS: Readonly<Record<string, (actual: unknown, world: FieldWorld) => void>> = {
  'the current version': (actual) => {
    // What jest's matcher stands for.
    expect(actual).toMatchObject({ state_version: expect.any(Number) as number });
  },
  '6400 more than before': (actual, { sizeBefore }) => expect(actual).toBe(sizeBefore + 6400),
};

/** Checks what a case expects of each answer it kept; what it says of all of them together is its invariant. */
export function expectAnswers(world: FieldWorld): void {
  for (const [name, expected] of Object.entries(world.fieldCase.expect)) {
    if (name === 'invariant') continue;
    const answer = world.saved.get(name);
    if (answer === undefined) throw new Error(`nothing was kept as ${name}`);
    expectAnswer(answer, expected as Expected, world); // README of the cases
  }
}

function expectAnswer(answer: Answer, { error, kind, names, titles, count, ...rest }: Expected, world: FieldWorld) {
  if (error !== undefined) {
    expect(answer.error).toMatchObject({ code: error, kind });
    if (names !== undefined) expect(answer.error?.message).toContain(names);
    return expectWithin(answer.error, rest, world);
  }
  expect(answer.error).toBeUndefined();
  const items = listOf(answer);
  if (titles !== undefined) expect(items.map(({ title }) => title)).toEqual(titles);
  if (count !== undefined) expect(items).toHaveLength(count);
  expectWithin(answer.result, rest, world);
}

/** The rows of a list, or the rules of query_applicable_rules. */
function listOf({ result }: Answer): readonly { title?: string }[] {
  const list = result?.['items'] ?? result?.['rules'] ?? [];
  return list as { title?: string }[]; // the output's schema was checked by the gateway
}

function expectWithin(actual: unknown, expected: object, world: FieldWorld): void {
  for (const [key, value] of Object.entries(expected)) {
    const found = (actual as Record<string, unknown> | undefined)?.[key]; // a missing one is told below
    const inWords = typeof value === 'string' ? IN_WORDS[value] : undefined;
    if (inWords !== undefined) inWords(found, world);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) expectWithin(found, value, world);
    else expect({ [key]: found }).toEqual({ [key]: value });
  }
}
