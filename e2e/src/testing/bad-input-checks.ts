import { ERROR_KINDS, type ErrorBody } from '@perdure/contracts';
import type { Argument } from './argument-kinds.js';
import type { BadInputExpectation } from './bad-input-cases.js';
import type { Outcome } from './doors.js';

/** A refusal may quote a value, but no more of it than this. */
const ECHO_LIMIT = 80;

interface Tried {
  readonly value: unknown;
  /** Null when the case changes the whole input. */
  readonly argument: Argument | null;
}

/** What is wrong with the outcome of a case; an empty list when nothing is. */
export function faultsOf(outcome: Outcome, expected: BadInputExpectation, tried: Tried): string[] {
  const faults = outcome.malformed === null ? [] : [outcome.malformed];
  if (outcome.error?.kind === 'internal') faults.push('internal');
  if (outcome.error !== undefined) faults.push(...leaks(outcome, tried.value));
  const mayBeRefused = expected.result !== 'accepted';
  const mayBeAccepted = expected.result !== 'refused';
  if (outcome.error === undefined && !mayBeAccepted) faults.push('was accepted');
  if (outcome.error !== undefined && !mayBeRefused) faults.push(`was refused: ${outcome.error.code}`);
  if (outcome.error !== undefined && expected.result === 'refused') {
    faults.push(...refusalFaults(outcome.error, expected, tried));
  }
  return faults;
}

function leaks({ text }: Outcome, value: unknown): string[] {
  const faults: string[] = [];
  if (/\\n\s+at |node_modules|\.[cm]?[jt]s:\d/.test(text)) faults.push('shows a stack');
  const sent = typeof value === 'string' ? value : JSON.stringify(value);
  const tooLong = [sent?.slice(0, ECHO_LIMIT + 1), sent?.slice(-ECHO_LIMIT - 1)];
  const echoes = tooLong.some((part) => part !== undefined && part.length > ECHO_LIMIT && text.includes(part));
  return echoes ? [...faults, `echoes more than ${ECHO_LIMIT} characters`] : faults;
}

function refusalFaults(error: ErrorBody, expected: BadInputExpectation, { argument }: Tried): string[] {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string) => void (holds || faults.push(fault));
  const oneOf = (allowed: string | readonly string[] | undefined, actual: string) =>
    allowed === undefined || [allowed].flat().includes(actual);
  check(oneOf(expected.kind, error.kind), `kind ${error.kind}`);
  check(oneOf(codeFor(expected.code, argument), error.code), `code ${error.code}`);
  check(error.kind in ERROR_KINDS && error.message !== '' && error.hint !== '', 'no message or hint');
  const name = argument?.path.join('.') ?? '';
  check(expected.names_field !== true || namesField(error, name), `does not name ${name}: ${error.message}`);
  const { allowed = [''] } = argument ?? {};
  check(error.message.includes(allowed[0] ?? ''), `does not list what is allowed: ${error.message}`);
  check(expected.names === undefined || error.message.includes(expected.names), `does not name ${expected.names}`);
  for (const [key, value] of Object.entries(expected.details ?? {})) {
    check(error.details[key] === value, `details.${key} is ${JSON.stringify(error.details[key])}`);
  }
  return faults;
}

/** README of the cases: the values of a pull request's url give another code where an issue's is asked for. */
function codeFor(code: BadInputExpectation['code'], argument: Argument | null): BadInputExpectation['code'] {
  if (argument?.path.at(-1) !== 'linked_issue_url' || code === undefined) return code;
  return [code].flat().map((one) => (one === 'pr_url_unrecognised' ? 'issue_url_unrecognised' : one));
}

/** In its details and in its message; of an array's bad item, by the array or by the item. */
function namesField({ details, message }: ErrorBody, name: string): boolean {
  const fields = (details['fields'] ?? []) as readonly { path: string }[]; // the shape of every invalid_input
  const named = [...fields.map(({ path }) => path), details['field']];
  const matches = (path: unknown) => path === name || (typeof path === 'string' && path.startsWith(`${name}.`));
  return named.some(matches) && message.includes(name);
}
