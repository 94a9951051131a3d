import { DomainError } from '@perdure/contracts';
import { detectSecret } from './detect-secret.js';

/**
 * L4: refuses a text that holds a credential of a known format; anything but a text is let through.
 *
 * @param field dotted path of the argument, as the caller sent it
 * @throws DomainError `secret_detected` with the secret's kind and its place, never its value
 */
export function refuseSecret(value: unknown, field: string): void {
  const found = typeof value === 'string' ? detectSecret(value) : null;
  if (found === null) return;
  throw new DomainError('secret_detected', `${field} holds a secret (${found.kind}); nothing was stored.`, {
    secret_kind: found.kind,
    field,
    offset: found.offset,
    length: found.length,
  });
}
