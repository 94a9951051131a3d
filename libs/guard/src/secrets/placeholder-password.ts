import { RE2JS } from 're2js';
import { isAlphanumeric, isDigit } from './characters.js';
import { isMadeUp, isReference } from './generated-value.js';

/** What people write where a password goes, letters only; digits around it do not make it one. */
const PASSWORD_WORDS = RE2JS.compile(
  '^(?:my|your|the|some|super|auth|a|new|old|db|db_?user|user|root|admin|app|test|dev|local|strong|secure|very|postgres|mysql|redis|mongo|rabbitmq)*' +
    '(?:password|passwd|passw[o0]rd|pass|passphrase|pwd|pw|secret|s3cr3t|secure|token|key|apikey|letmein|qwerty|opensesame|' +
    'credentials?|change(?:me|it)|foo|bar|baz|foobar|example|value|redacted|hidden|masked|removed)*$',
  RE2JS.CASE_INSENSITIVE,
);
/** Too well known to be anybody's. */
const FOLKLORE = new Set(['hunter2', 'correcthorsebatterystaple']);
const PLAIN_WORDS = RE2JS.compile('^[a-z]+(?:[-_.][a-z]+)*$');
const SUBSTITUTIONS: readonly (readonly [string, string])[] = [
  ['0', 'o'],
  ['1', 'l'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['@', 'a'],
  ['$', 's'],
];

/**
 * True for a password that only shows where one belongs, or that a person may write in a note without loss: references,
 * masks, the user's own name, the usual words with or without digits, fewer than six characters, short plain words.
 */
export function isPlaceholderPassword(password: string, user: string): boolean {
  if (password.length < 6 || isReference(password) || FOLKLORE.has(password)) return true;
  if (password.toLowerCase() === user.toLowerCase() || isMadeUp(password)) return true;
  if (isUsualWord(lettersOf(password)) || isUsualWord(lettersOf(withoutSubstitutions(password)))) return true;
  return password.length < 16 && PLAIN_WORDS.matcher(password).find();
}

const isUsualWord = (letters: string): boolean => PASSWORD_WORDS.matcher(letters).find();

const lettersOf = (text: string): string =>
  [...text]
    .filter((character) => isAlphanumeric(character.charCodeAt(0)) && !isDigit(character.charCodeAt(0)))
    .join('');

/** `p%40ssw0rd!` → `password!`. Signs at the end are no letters in disguise. */
function withoutSubstitutions(text: string): string {
  const core = percentDecoded(text);
  let end = core.length;
  while (end > 0 && !isAlphanumeric(core.charCodeAt(end - 1))) end -= 1;
  return SUBSTITUTIONS.reduce((plain, [sign, letter]) => plain.replaceAll(sign, letter), core.slice(0, end));
}

/** The text itself where it is no percent encoding. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
