import { detectSecret } from './secrets/detect-secret.js';

/** A refusal may quote what it refuses, but no more of it than this, in UTF-16 code units. */
const ECHO_LIMIT = 80;

/**
 * A name that a caller chose (an unknown argument, a key of attributes), as a refusal may quote it: no more than 80
 * characters, well formed, and nothing from the first credential on (L4: a secret is in no error text).
 */
export function shownName(name: string): string {
  const secret = detectSecret(name);
  const safe = secret === null ? name : `${name.slice(0, secret.offset)}***`;
  return (safe.length > ECHO_LIMIT ? `${safe.slice(0, ECHO_LIMIT - 1)}…` : safe).toWellFormed();
}
