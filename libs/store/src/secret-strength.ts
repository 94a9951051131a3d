/** What people leave in place of a secret. Words of six letters or more: a random secret holds none of them by accident. */
const PLACEHOLDER =
  /change.?me|replace|placeholder|example|default|password|secret|insecure|letmein|123456|xxxxx|[<>]|\.\.\./i;

/** 96 bits in base64; what `docker/init.mjs` draws has 192. */
const LEAST_LENGTH = 16;
const LEAST_LETTERS = 8;

/**
 * Why a password must not stand in front of a database, or null when it may: too short, one letter over and over, or
 * left as some file had it. Says nothing of the password itself, so that it can be printed.
 */
export function secretFault(secret: string): string | null {
  if (secret.length < LEAST_LENGTH) return `has fewer than ${LEAST_LENGTH} characters`;
  if (new Set(secret).size < LEAST_LETTERS) return `has fewer than ${LEAST_LETTERS} different characters`;
  return PLACEHOLDER.test(secret) ? 'looks like a placeholder' : null;
}

/**
 * The faults of named secrets, one line each: those of each one, and which are the same as another. A role whose
 * password opens another role's door is no role of its own.
 */
export function secretFaults(secrets: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(secrets);
  const firstWith = (secret: string) => entries.find(([, other]) => other === secret)?.[0];
  return entries.flatMap(([name, secret]) => {
    const fault = secretFault(secret);
    const first = firstWith(secret);
    if (fault !== null) return [`${name} ${fault}`];
    return first === name ? [] : [`${name} is the same as ${first}`];
  });
}
