import type { LoopMeasurement } from '@perdure/contracts';
import { diffHashProblem, failingSignatureProblem, sessionIdProblem } from '@perdure/contracts';
import { invalidInput } from './refusals.js';

/** @throws DomainError `invalid_input`: an empty id would count for nobody (L2) */
export function requireSessionId(value: unknown): string {
  if (typeof value !== 'string') throw invalidInput('session_id', 'must be a text');
  const problem = sessionIdProblem(value);
  if (problem !== null) throw invalidInput('session_id', problem);
  return value;
}

const MEASURED = ['failing_signature', 'diff_hash'];

/**
 * L4: conclusions (unknown keys, refused by name), whole outputs and diffs do not get in.
 *
 * @throws DomainError `invalid_input`
 */
export function requireMeasurement(value: Readonly<Record<keyof LoopMeasurement, unknown>>): LoopMeasurement {
  const unknown = Object.keys(value).find((key) => !MEASURED.includes(key));
  if (unknown !== undefined) throw invalidInput(unknown, 'is not known here');
  return {
    failing_signature: requireSignature(value.failing_signature),
    diff_hash: requireDiffHash(value.diff_hash),
  };
}

export function requireSignature(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') throw invalidInput('failing_signature', 'must be a text, or null when the tests pass');
  const problem = failingSignatureProblem(value);
  if (problem !== null) throw invalidInput('failing_signature', problem);
  return value;
}

export function requireDiffHash(value: unknown): string {
  if (typeof value !== 'string') throw invalidInput('diff_hash', 'must be a text');
  const problem = diffHashProblem(value);
  if (problem !== null) throw invalidInput('diff_hash', problem);
  return value.toLowerCase();
}

/**
 * The gates that stand in front of the server's operations too: what cannot be stored, and secrets (L4). Loaded only when
 * a text is new to the file: their rules take longer to load than all the rest of a hook that counts a call.
 *
 * @throws DomainError `invalid_input`, `secret_detected`
 */
export async function refuseUnfit(field: string, text: string | null): Promise<void> {
  if (text === null) return;
  const { checkText, refuseSecret } = await import('@perdure/guard');
  const [problem] = checkText({ [field]: text });
  if (problem !== undefined) throw invalidInput(problem.path, problem.message);
  refuseSecret(text, field);
}
