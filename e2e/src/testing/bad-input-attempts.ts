import type { OperationContract } from '@perdure/contracts';
import { operationsWithArguments, type Argument } from './argument-kinds.js';
import { generated, OMITTED, type BadInputCase } from './bad-input-cases.js';
import type { Fixture } from './call-fixture.js';
import { VALID_ARGUMENTS, type Arguments } from './valid-arguments.js';

/** One call of one operation with one value put where it does not belong. */
export interface Attempt {
  readonly contract: OperationContract;
  /** Null when the case changes the whole input. */
  readonly argument: Argument | null;
  readonly value: unknown;
  readonly input: Arguments;
}

/** The template: every argument of the case's kind in every operation, the rest of the call valid. */
export async function attemptsFor(badCase: BadInputCase, fixture: Fixture): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const { contract, parameters } of operationsWithArguments()) {
    const targets = badCase.field_kind === 'object' ? [null] : parameters.filter((one) => concerns(badCase, one));
    for (const argument of targets) {
      const value = (await fixture.foreignCursor(badCase.value, contract)) ?? generated(badCase.value);
      const valid = await validInputHolding(contract, fixture, argument?.path ?? []);
      const input = argument === null ? merged(valid, value) : withValue(valid, argument.path, value);
      attempts.push({ contract, argument, value, input });
    }
  }
  return attempts;
}

/** One input for each alternative of an operation's valid arguments. */
export const validInputs = (contract: OperationContract, fixture: Fixture): Promise<Arguments[]> =>
  Promise.all((VALID_ARGUMENTS[contract.name] ?? []).map(async (valid) => valid(fixture)));

/** Whether the input has a value there. */
export const holds = (input: unknown, [key, ...rest]: readonly string[]): boolean => {
  if (key === undefined) return true;
  if (typeof input !== 'object' || input === null || !(key in input)) return false;
  return holds(Object.entries(input).find(([name]) => name === key)?.[1], rest);
};

function concerns({ field_kind, value, expect: { result, only } }: BadInputCase, argument: Argument): boolean {
  if (only !== undefined && argument.path.at(-1) !== only) return false;
  if (generated(value) === OMITTED && !argument.required) return false;
  if (value === null && argument.nullable) return false;
  // Items that are ids or objects are refused for themselves.
  if (field_kind === 'array' && result === 'accepted' && argument.ofText !== true) return false;
  // What is looked up, or has a form of its own, shares only the refusals.
  if (argument.kind === 'word') return field_kind === 'title' && result === 'refused';
  if (argument.kind === 'document') return field_kind === 'markdown' && result === 'refused';
  return argument.kind === field_kind;
}

/** Valid arguments that have a value there, else any. */
export async function validInputHolding(
  contract: OperationContract,
  fixture: Fixture,
  path: readonly string[],
): Promise<Arguments> {
  const inputs = await validInputs(contract, fixture);
  return inputs.find((input) => holds(input, path)) ?? inputs[0] ?? {};
}

function merged(valid: Arguments, value: unknown): Arguments {
  const { merge } = value as { merge: object }; // the one form in which a case changes the whole input
  return { ...valid, ...merge };
}

/** The input with that value there; objects on the way are made. */
export function withValue(input: object, [key = '', ...rest]: readonly string[], value: unknown): Arguments {
  const before: Record<string, unknown> = Object.fromEntries(Object.entries(input));
  const inner = before[key];
  const changed =
    rest.length === 0 ? value : withValue(typeof inner === 'object' && inner !== null ? inner : {}, rest, value);
  const others = Object.entries(before).filter(([name]) => name !== key);
  const container = Object.fromEntries(changed === OMITTED ? others : [...others, [key, changed]]);
  // An array stays one: its items go by number. To whoever calls with an object it gives an object.
  return Array.isArray(input) ? (Object.values(container) as unknown as Arguments) : container;
}
