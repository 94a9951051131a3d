import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Positive {
  readonly id: string;
  readonly parts?: readonly string[];
  readonly before: string;
  readonly after: string;
}

/** A credential of a known format in the words around it: cases/secrets/README.md says what each key means. */
export interface OfferedSecret {
  readonly id: string;
  readonly secret: string;
  readonly text: string;
  /** What of the secret may be kept nowhere: the id in a token of this product is public. */
  readonly hidden: string;
}

export interface LookAlike {
  readonly id: string;
  readonly text: string;
}

const FOLDER = path.join(__dirname, '..', '..', '..', 'cases', 'secrets');

const read = <Case>(file: string): Case[] => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Case[]; // ours

/** @param issued the secret of a credential of this installation, for the case that no file can hold */
export const offeredSecrets = (issued: string): OfferedSecret[] =>
  read<Positive>('positives.json').map(({ id, parts = [issued], before, after }) => {
    const secret = parts.join('');
    const hidden = secret === issued ? secret.slice(secret.lastIndexOf('_') + 1) : secret;
    return { id, secret, hidden, text: `${before}${secret}${after}` };
  });

export const lookAlikes = (): LookAlike[] => read<LookAlike>('negatives.json');
