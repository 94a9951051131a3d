import { RE2JS } from 're2js';
import { isWord } from './characters.js';
import type { SecretRule } from './secret-rule.js';
import { isLongBase36, isLongHex, isUuid, looksGenerated } from './generated-value.js';
import { isPlaceholderPassword } from './placeholder-password.js';

/** Ends of names whose values are secrets. `pass` only after a separator: `bypass` is none. */
const NAMES = [
  'password',
  'passwd',
  'passphrase',
  '_pass',
  '-pass',
  'pwd',
  'secret',
  'token',
  'api_key',
  'api-key',
  'apikey',
  'access_key',
  'access-key',
  'accesskey',
  'auth_key',
  'authkey',
  'private_key',
  'privatekey',
  'encryption_key',
  'encryptionkey',
  'signing_key',
  'master_key',
];

/** What may follow the keyword within the name, without `_` and `-`: `SECRET_ACCESS_KEY`, `password2`; not `tokens`. */
const SUFFIXES = new Set([
  ...['', 'key', 'accesskey', 'token', 'value', 'base64', 'prod', 'production', 'live', 'dev', 'staging'],
  ...'0123456789',
]);
const LONGEST_SUFFIX = 16;
const LONGEST_NAME = 60;
/** Generated values are shorter; a longer stretch without a blank is data of another kind. */
const LONGEST_VALUE = 160;
const SHORTEST = 12;

/** Names of things that only sound secret: cursors, counters, digests, public halves, references to where one is kept. */
const HARMLESS_NAME = RE2JS.compile(
  'page|next|prev|continuation|sync|cursor|csrf|xsrf|public|hash|digest|fingerprint|checksum|_id|name|file|path|env|ref',
  RE2JS.CASE_INSENSITIVE,
);
const AWS_NAME = RE2JS.compile('aws|secret_?access_?key', RE2JS.CASE_INSENSITIVE);
const AWS_VALUE = RE2JS.compile('^[0-9A-Za-z+/]{40}$');
const NPM_NAME = RE2JS.compile('_authtoken$', RE2JS.CASE_INSENSITIVE);

/** `DB_PASSWORD=…`, `"apiKey": "…"`: a value that a generator made, after a name that says secret. */
export const NAMED_VALUE: SecretRule = {
  keywords: NAMES,
  contextual: true,
  find: (text, keywordAt) => {
    const value = valueAfter(text, keywordAt);
    if (value === null || value.text.length < SHORTEST) return null;
    const kind = kindOf(nameAt(text, keywordAt), value.text);
    return kind === null ? null : { kind, offset: value.offset, length: value.text.length };
  },
};

function kindOf(name: string, value: string): string | null {
  if (NPM_NAME.matcher(name).find() && isUuid(value)) return 'npm_token';
  const isDigestLike = name.length > 'token'.length && (isLongHex(value) || isLongBase36(value));
  if (!isDigestLike && !looksGenerated(value, SHORTEST)) return null;
  if (HARMLESS_NAME.matcher(name).find() || isPlaceholderPassword(value, '')) return null;
  if (AWS_NAME.matcher(name).find() && AWS_VALUE.matcher(value).find()) return 'aws_secret_access_key';
  return 'named_secret';
}

interface Value {
  readonly text: string;
  readonly offset: number;
}

/**
 * The value that is assigned to the name around the keyword. Read by hand: as an expression, a row of `password=`
 * costs 2.8 s for 32 KB instead of 20 ms, since every occurrence would try all the alternatives on what follows.
 */
function valueAfter(text: string, keywordAt: number): Value | null {
  const start = text.slice(keywordAt, keywordAt + LONGEST_SUFFIX).toLowerCase();
  const keyword = NAMES.find((name) => start.startsWith(name));
  if (keyword === undefined) return null;
  const suffixAt = keywordAt + keyword.length;
  const suffixEnd = skip(text, suffixAt, LONGEST_SUFFIX, isNamePart);
  if (!SUFFIXES.has(text.slice(suffixAt, suffixEnd).replaceAll('_', '').replaceAll('-', '').toLowerCase())) return null;
  const signAt = signAfter(text, suffixEnd);
  if (signAt !== null) return readValue(text, signAt);
  return isOption(text, keywordAt) && text.charAt(suffixEnd) === ' ' ? readValue(text, suffixEnd + 1) : null;
}

const isNamePart = (character: string): boolean => character === '-' || isWord(character.charCodeAt(0));
const isBlank = (character: string): boolean => character === ' ' || character === '\t';
const isQuote = (character: string): boolean => '"\'`\\'.includes(character);

function skip(text: string, from: number, atMost: number, isSkipped: (character: string) => boolean): number {
  let index = from;
  while (index < text.length && index - from < atMost && isSkipped(text.charAt(index))) index += 1;
  return index;
}

/** Where the value's first quote or character is expected, or null when nothing is assigned. */
function signAfter(text: string, nameEnd: number): number | null {
  const quotesEnd = skip(text, nameEnd, 3, (character) => isQuote(character) || character === ']');
  const signAt = skip(text, quotesEnd, 4, isBlank);
  const sign = ['=>', ':=', '=', ':'].find((candidate) => text.startsWith(candidate, signAt));
  if (sign === undefined) return null;
  const valueAt = skip(text, signAt + sign.length, 4, isBlank);
  return text.charAt(valueAt) === '=' ? null : valueAt;
}

/** `--password VALUE` on a command line. */
const isOption = (text: string, keywordAt: number): boolean =>
  text.startsWith('--', keywordAt - nameBefore(text, keywordAt));

const UNQUOTED_END = new Set([...' \t\r\n"\'`,;|&\\']);
/** A call, an index, a tag, an object: code that computes the value. */
const CODE = new Set([...'(){}[]<>']);

function readValue(text: string, at: number): Value | null {
  const offset = skip(text, at, 2, isQuote);
  const quote = offset > at ? text.charAt(offset - 1) : '';
  const isInside =
    quote === '' ? (character: string) => !UNQUOTED_END.has(character) && !CODE.has(character) : isNotQuoteOrBlank;
  const end = skip(text, offset, LONGEST_VALUE, isInside);
  if (end - offset >= LONGEST_VALUE) return null;
  if (quote === '' && CODE.has(text.charAt(end)) && text.charAt(end) !== ')') return null;
  return { text: text.slice(offset, end), offset };
}

const isNotQuoteOrBlank = (character: string): boolean => !isQuote(character) && character.trim() !== '';

/** Characters of the name that stand before the keyword. */
function nameBefore(text: string, keywordAt: number): number {
  let begin = keywordAt;
  while (begin > 0 && keywordAt - begin < LONGEST_NAME && isNamePart(text.charAt(begin - 1))) begin -= 1;
  return keywordAt - begin;
}

/** The whole name, from its first letter to the end of its word. */
const nameAt = (text: string, keywordAt: number): string =>
  text.slice(keywordAt - nameBefore(text, keywordAt), skip(text, keywordAt, LONGEST_NAME, isNamePart));
