import { createHash } from 'node:crypto';

/** Under which a code or token is stored: whoever reads the table cannot present what it lists. */
export const artifactDigest = (value: string): Buffer => createHash('sha256').update(value).digest();
