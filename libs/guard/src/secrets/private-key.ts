import { RE2JS } from 're2js';
import type { DetectedSecret, SecretRule } from './secret-rule.js';
import { isPlaceholder } from './generated-value.js';

const HEADER = RE2JS.compile('^-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----');
/** Key material: 32 base-64 characters in a row. PEM lines have 64, and a documented `MIIE…` has fewer. */
const MATERIAL = RE2JS.compile('[0-9A-Za-z+/]{32,}');
const LONGEST_HEADER = 80;
/** A header of an encrypted key (`Proc-Type`, `DEK-Info`) or of PGP takes up to about 300 characters. */
const MATERIAL_WITHIN = 480;
/** An RSA key of 16,384 bits takes about 12,700 characters. */
const LONGEST_KEY = 16_384;

/** A block of key material in PEM or OpenPGP armour; also inside JSON, where line ends are the two characters `\n`. */
export const PEM_PRIVATE_KEY: SecretRule = {
  keywords: ['-----BEGIN '],
  contextual: false,
  find: (text, keywordAt) => {
    const header = HEADER.matcher(text.slice(keywordAt, keywordAt + LONGEST_HEADER));
    if (!header.find()) return null;
    const bodyAt = keywordAt + header.end();
    if (!hasMaterial(text.slice(bodyAt, bodyAt + MATERIAL_WITHIN))) return null;
    return spanTo(text, keywordAt, '-----END', 'private_key');
  },
};

/** PuTTY's format: public part first, then the private lines. */
export const PUTTY_PRIVATE_KEY: SecretRule = {
  keywords: ['Private-Lines:'],
  contextual: false,
  find: (text, keywordAt) => {
    if (!hasMaterial(text.slice(keywordAt, keywordAt + MATERIAL_WITHIN))) return null;
    return spanTo(text, keywordAt, 'Private-MAC', 'putty_private_key');
  },
};

function hasMaterial(text: string): boolean {
  // Ends where the armour ends: what follows is another text.
  const armour = text.split('-----', 1)[0] ?? '';
  const matcher = MATERIAL.matcher(armour);
  return matcher.find() && !isPlaceholder(armour.slice(matcher.start(), matcher.end()));
}

function spanTo(text: string, offset: number, closing: string, kind: string): DetectedSecret {
  const stretch = text.slice(offset, offset + LONGEST_KEY);
  const closingAt = stretch.indexOf(closing);
  if (closingAt < 0) return { kind, offset, length: stretch.length };
  const lineEnd = stretch.indexOf('-----', closingAt + closing.length);
  const end = closing.startsWith('-----') && lineEnd >= 0 ? lineEnd + '-----'.length : closingAt;
  return { kind, offset, length: end };
}
