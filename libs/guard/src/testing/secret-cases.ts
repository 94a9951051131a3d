import { readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(__dirname, '../../../../cases/secrets');

/** One case of `cases/secrets/positives.json`; values stand there in parts, so that no file holds a whole one. */
export interface SecretCase {
  readonly id: string;
  readonly before: string;
  readonly parts?: readonly string[];
  readonly after: string;
}

export interface LookAlike {
  readonly id: string;
  readonly text: string;
}

/** Those with a fixed text; one is minted by a test instead. */
export const SECRET_CASES: readonly SecretCase[] = read<SecretCase>('positives.json').filter((one) => one.parts);
export const LOOK_ALIKES: readonly LookAlike[] = read<LookAlike>('negatives.json');

export const secretOf = (one: SecretCase): string => (one.parts ?? []).join('');

function read<Case>(file: string): Case[] {
  // The folder's README fixes the shape; a test that reads something else fails on it.
  return JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Case[];
}
