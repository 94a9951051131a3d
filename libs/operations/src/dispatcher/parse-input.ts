import { DomainError, idempotencyKey as keySchema, type OperationContract } from '@perdure/contracts';
import { checkText, type InputProblem, shownName } from '@perdure/guard';
import { z } from 'zod';

export interface ParsedCall {
  readonly input: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | null;
  /** The arguments as they were sent: what the secret guard looks at. */
  readonly sent: unknown;
}

/**
 * Text gate, then schema. `idempotency_key` is an argument of every mutation in MCP and a header over HTTP; either
 * is taken in every transport.
 *
 * @throws DomainError `invalid_input` naming every bad argument in details.fields
 */
export function parseInput(contract: OperationContract, raw: unknown, headerKey: string | undefined): ParsedCall {
  const given = raw ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) refuse([{ path: '', message: 'must be an object' }]);
  const { argumentKey, rest } = splitIdempotencyKey(contract, given);
  refuse(checkText(withoutItems(contract, given)));
  const key = chooseKey(argumentKey, headerKey);
  const parsed = schemaOf(contract).safeParse(rest);
  if (!parsed.success) refuse(problemsIn(parsed.error));
  return { input: parsed.data ?? {}, idempotencyKey: key, sent: rest };
}

/** Every problem that a schema found, in the words of a refusal. */
export const problemsIn = ({ issues }: { readonly issues: readonly z.core.$ZodIssue[] }): InputProblem[] =>
  issues.flatMap(problemsOf);

/** Of an itemwise argument only how many there are: its handler looks at the items. */
function schemaOf({ input, itemwise }: OperationContract): z.ZodObject {
  if (itemwise === undefined) return input;
  return input.extend({ [itemwise.argument]: z.array(z.unknown()).max(itemwise.max) });
}

const withoutItems = ({ itemwise }: OperationContract, given: object): object =>
  itemwise === undefined ? given : { ...given, [itemwise.argument]: null };

/** A query has no such argument: there it is an unknown key like any other. */
function splitIdempotencyKey(contract: OperationContract, given: object): { argumentKey: unknown; rest: object } {
  if (contract.kind !== 'mutation' || !('idempotency_key' in given)) return { argumentKey: undefined, rest: given };
  const { idempotency_key: argumentKey, ...rest } = given;
  return { argumentKey, rest };
}

function chooseKey(argumentKey: unknown, headerKey: string | undefined): string | null {
  const given = argumentKey ?? headerKey;
  if (given === undefined) return null;
  const key = keySchema().safeParse(given);
  if (!key.success) refuse([{ path: 'idempotency_key', message: 'must be 1 to 200 characters' }]);
  if (argumentKey !== undefined && headerKey !== undefined && argumentKey !== headerKey) {
    refuse([{ path: 'idempotency_key', message: 'differs from the Idempotency-Key header' }]);
  }
  return key.data ?? null;
}

function problemsOf(issue: z.core.$ZodIssue): InputProblem[] {
  const path = issue.path.map((part) => shownName(String(part))).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: path === '' ? shownName(key) : `${path}.${shownName(key)}`,
      message: 'is not an argument',
    }));
  }
  return [{ path, message: wordsOf(issue) }];
}

/** An argument that was left out is told so; else the schema's words, without its preface. */
function wordsOf({ code, message }: z.core.$ZodIssue): string {
  if (code === 'invalid_type' && message.endsWith('received undefined')) return 'is required';
  return shorten(message.replace(/^Invalid (?:input|option): /, ''));
}

/** A sentence of ours about an argument, with the values that would be right. */
const shorten = (message: string): string =>
  (message.length > 400 ? `${message.slice(0, 399)}…` : message).toWellFormed();

function refuse(problems: readonly InputProblem[]): void {
  if (problems.length === 0) return;
  const fields = problems.slice(0, 20);
  const sentences = fields.map(({ path, message }) => (path === '' ? `the input ${message}` : `${path}: ${message}`));
  throw new DomainError('invalid_input', `Invalid input. ${sentences.join('; ')}`, { fields });
}
