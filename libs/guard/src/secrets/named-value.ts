import { RE2JS } from 're2js';
import { isWord } from './characters.js';
import type { DetectedSecret, SecretRule } from './secret-rule.js';
import { isLongBase36, isLongHex, isPlaceholderPassword, isUuid, looksGenerated } from './value-judgement.js';

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

/** From the keyword on: the rest of the name, quotes, the sign of assignment, the value between quotes or up to a blank. */
const ASSIGNMENT = RE2JS.compile(
  `^(?:${NAMES.join('|')})` +
    '(?:(?:_|-)?(?:access)?(?:_|-)?key|(?:_|-)?token|(?:_|-)?(?:base64|value|prod|production|live|dev|staging|[0-9]))?' +
    '\\\\?["\'\\]]{0,2}[ \\t]{0,4}(?::=|=>|=|:)[ \\t]{0,4}' +
    '(?:\\\\?"([^"\\s\\\\]+)\\\\?"|\'([^\'\\s]+)\'|`([^`\\s]+)`|([^\\s"\'`,;<>(){}\\[\\]|&\\\\]+)(?:[\\s"\'`,;)|&\\\\]|$))',
  RE2JS.CASE_INSENSITIVE,
);
const LONGEST_ASSIGNMENT = 320;
const LONGEST_NAME = 60;
/** Between the keyword and the sign of assignment: a suffix such as `_access_key`, quotes and blanks. */
const SIGN_WITHIN = 40;

/** Names of things that only sound secret: cursors, counters, digests, public halves, references to where one is kept. */
const HARMLESS_NAME = RE2JS.compile(
  'page|next|prev|continuation|sync|cursor|csrf|xsrf|public|hash|digest|fingerprint|checksum|_id|name|file|path|env|ref',
  RE2JS.CASE_INSENSITIVE,
);
const AWS_NAME = RE2JS.compile('aws|secret_?access_?key', RE2JS.CASE_INSENSITIVE);
const AWS_VALUE = RE2JS.compile('^[0-9A-Za-z+/]{40}$');
const NPM_NAME = RE2JS.compile('_authtoken$', RE2JS.CASE_INSENSITIVE);
const SHORTEST = 12;

/** `DB_PASSWORD=…`, `"apiKey": "…"`: a value that a generator made, after a name that says secret. */
export const NAMED_VALUE: SecretRule = {
  keywords: NAMES,
  contextual: true,
  find: (text, keywordAt) => {
    if (!hasSign(text, keywordAt)) return null;
    const matcher = ASSIGNMENT.matcher(text.slice(keywordAt, keywordAt + LONGEST_ASSIGNMENT));
    if (!matcher.find()) return null;
    const group = [1, 2, 3, 4].find((candidate) => matcher.start(candidate) >= 0) ?? 0;
    const offset = keywordAt + matcher.start(group);
    return judge(nameAt(text, keywordAt), text.slice(offset, keywordAt + matcher.end(group)), offset);
  },
};

function judge(name: string, value: string, offset: number): DetectedSecret | null {
  const kind = kindOf(name, value);
  return kind === null ? null : { kind, offset, length: value.length };
}

function kindOf(name: string, value: string): string | null {
  if (NPM_NAME.matcher(name).find() && isUuid(value)) return 'npm_token';
  if (HARMLESS_NAME.matcher(name).find()) return null;
  if ((isLongHex(value) || isLongBase36(value)) && name.length > 'token'.length) return 'named_secret';
  if (isPlaceholderPassword(value, '') || !looksGenerated(value, SHORTEST)) return null;
  if (AWS_NAME.matcher(name).find() && AWS_VALUE.matcher(value).find()) return 'aws_secret_access_key';
  return 'named_secret';
}

/** Cheap and bounded: most occurrences of these words are prose. */
function hasSign(text: string, keywordAt: number): boolean {
  const stretch = text.slice(keywordAt, keywordAt + SIGN_WITHIN);
  return stretch.includes('=') || stretch.includes(':');
}

/** The whole name, from its first letter to the end of its word. */
function nameAt(text: string, keywordAt: number): string {
  const isPart = (index: number): boolean => isWord(text.charCodeAt(index)) || text.charAt(index) === '-';
  let begin = keywordAt;
  while (begin > 0 && keywordAt - begin < LONGEST_NAME && isPart(begin - 1)) begin -= 1;
  let end = keywordAt;
  while (end - keywordAt < LONGEST_NAME && end < text.length && isPart(end)) end += 1;
  return text.slice(begin, end);
}
