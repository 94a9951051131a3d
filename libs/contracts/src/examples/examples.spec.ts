import { allOperations, findOperation } from '../catalogue.js';
import { operationExamples } from './examples.js';

const ULID = /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g;

test('T2: every operation has an example', () => {
  const shown = new Set(operationExamples.map(({ operation }) => operation));
  expect(allOperations.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
});

test('T2: every example fits the arguments of its operation', () => {
  for (const { operation, input } of operationExamples) {
    expect([operation, findOperation(operation)?.input.safeParse(input).error]).toEqual([operation, undefined]);
  }
});

test('T2: every id of an example comes from the answer to an earlier one', () => {
  const known = new Set<string>();
  for (const { operation, input, yields } of operationExamples) {
    const unknown = (JSON.stringify(input).match(ULID) ?? []).filter((id) => !known.has(id));
    expect([operation, unknown]).toEqual([operation, []]);
    for (const id of Object.keys(yields)) known.add(id);
  }
});
