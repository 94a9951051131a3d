import { RE2JS } from 're2js';
import { canBeginAt } from './characters.js';
import type { SecretRule } from './secret-rule.js';
import { isLongHex, looksGenerated } from './generated-value.js';
import { isPlaceholderPassword } from './placeholder-password.js';

const BEARER = RE2JS.compile('^bearer(?:[ \\t]{1,4}|%20|\\+)([0-9A-Za-z_.~+/-]{16,}=*)', RE2JS.CASE_INSENSITIVE);
const BASIC = RE2JS.compile('^basic(?:[ \\t]{1,4}|%20|\\+)([0-9A-Za-z+/]{8,}={0,2})', RE2JS.CASE_INSENSITIVE);
const LONGEST_HEADER = 512;
/** `Authorization`, quotes and separators between the name and the scheme. */
const NAME_WITHIN = 24;

/** A bearer token (RFC 6750) that a generator made. The word alone, or a reference after it, is prose. */
export const BEARER_TOKEN: SecretRule = {
  keywords: ['bearer'],
  contextual: true,
  find: (text, keywordAt) => {
    const value = valueAt(BEARER, text, keywordAt);
    if (value === null || !(looksGenerated(value.text, 20) || isLongHex(value.text))) return null;
    return { kind: 'bearer_token', offset: value.offset, length: value.text.length };
  },
};

/** `Authorization: Basic …` (RFC 7617) whose decoded password is more than a placeholder. */
export const BASIC_CREDENTIALS: SecretRule = {
  keywords: ['basic'],
  contextual: true,
  find: (text, keywordAt) => {
    const name = text.slice(Math.max(0, keywordAt - NAME_WITHIN), keywordAt).toLowerCase();
    if (!name.includes('authorization')) return null;
    const value = valueAt(BASIC, text, keywordAt);
    const decoded = value === null ? null : decodeBase64(value.text);
    const colon = decoded?.indexOf(':') ?? -1;
    if (value === null || decoded === null || colon < 0) return null;
    if (isPlaceholderPassword(decoded.slice(colon + 1), decoded.slice(0, colon))) return null;
    return { kind: 'basic_credentials', offset: value.offset, length: value.text.length };
  },
};

const CURL_USER = RE2JS.compile(
  '^curl[ \\t][^\\r\\n]{0,250}?(?:-u|--user)(?:[ \\t]{1,4}|=)?["\']?([^\\s:"\']{1,80}):([^\\s"\']{6,120})',
);

/** `curl -u name:password`: the same header, as people write it down. */
export const CURL_CREDENTIALS: SecretRule = {
  keywords: ['curl'],
  contextual: true,
  find: (text, keywordAt) => {
    const matcher = CURL_USER.matcher(text.slice(keywordAt, keywordAt + LONGEST_HEADER));
    if (!matcher.find()) return null;
    const password = matcher.group(2) ?? '';
    if (isPlaceholderPassword(password, matcher.group(1) ?? '')) return null;
    return { kind: 'basic_credentials', offset: keywordAt + matcher.start(2), length: password.length };
  },
};

interface HeaderValue {
  readonly text: string;
  readonly offset: number;
}

function valueAt(expression: RE2JS, text: string, keywordAt: number): HeaderValue | null {
  if (!canBeginAt(text, keywordAt)) return null;
  const matcher = expression.matcher(text.slice(keywordAt, keywordAt + LONGEST_HEADER));
  if (!matcher.find()) return null;
  const start = matcher.start(1);
  return { text: text.slice(keywordAt + start, keywordAt + matcher.end(1)), offset: keywordAt + start };
}

/** Null for what is not base 64 at all; the error of `atob` would carry the text. */
function decodeBase64(text: string): string | null {
  try {
    return atob(text);
  } catch {
    return null;
  }
}
