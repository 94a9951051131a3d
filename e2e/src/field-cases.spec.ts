import { isDue } from './testing/due-issues.js';
import { fieldCases, type FieldCase } from './testing/field-cases.js';
import { DEEDS } from './testing/field-deeds.js';
import { expectAnswers } from './testing/field-expectations.js';
import { INVARIANTS } from './testing/field-invariants.js';
import { FieldWorld, type FieldStack } from './testing/field-world.js';
import { runSteps } from './testing/run-steps.js';
import { wholeStack } from './testing/whole-stack.js';

const cases = fieldCases();
const due = cases.filter(({ issue }) => isDue(issue));

let stack: FieldStack;

beforeAll(async () => {
  const whole = await wholeStack();
  const gateways = [await whole.start('mcp-gateway'), await whole.start('mcp-gateway')];
  stack = { ...whole, gateways, writers: [await whole.start('audit-writer')] };
});

afterAll(() => stack.close());

test('every case that is due and has an invariant has a check of it', () => {
  const unchecked = due.filter(({ id, expect: { invariant } }) => invariant !== undefined && !(id in INVARIANTS));
  expect(unchecked.map(({ id }) => id)).toEqual([]);
});

test('every check belongs to a case', () => {
  const ids = new Set(cases.map(({ id }) => id));
  expect(Object.keys(INVARIANTS).filter((id) => !ids.has(id))).toEqual([]);
});

/** A hang, not slowness, should end a case: the heaviest makes 6,400 calls, 50 s on two idle cores. */
const CASE_MS = 400_000;

test.each(due.map((one): [string, FieldCase] => [one.id, one]))(
  '%s',
  async (_id, fieldCase) => {
    const world = new FieldWorld(stack, fieldCase, DEEDS);
    await world.begin();
    await runSteps(world, fieldCase.steps);
    await world.settled();
    expectAnswers(world);
    await INVARIANTS[fieldCase.id]?.(world);
    expect(Object.keys(fieldCase.expect).length).toBeGreaterThan(0);
  },
  CASE_MS,
);
