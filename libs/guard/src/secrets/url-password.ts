import { isAlphanumeric } from './characters.js';
import type { SecretRule } from './secret-rule.js';
import { isPlaceholderPassword } from './placeholder-password.js';

/** Ends the authority of a URL, or the URL as it stands in prose, code or JSON. */
const AUTHORITY_END = new Set([...' \t\r\n/?#"\'`<>()[]\\|,;']);
const LONGEST_AUTHORITY = 512;

/** `scheme://user:password@host`, for any scheme (RFC 3986, section 3.2.1): databases, remotes, proxies. */
export const URL_PASSWORD: SecretRule = {
  keywords: ['://'],
  contextual: true,
  find: (text, keywordAt) => {
    if (!isAlphanumeric(text.charCodeAt(keywordAt - 1))) return null;
    const begin = keywordAt + '://'.length;
    const authority = authorityAt(text, begin);
    const at = authority.lastIndexOf('@');
    const colon = authority.indexOf(':');
    if (colon < 0 || at <= colon || at === authority.length - 1) return null;
    const password = authority.slice(colon + 1, at);
    if (isPlaceholderPassword(password, authority.slice(0, colon))) return null;
    return { kind: 'url_password', offset: begin + colon + 1, length: password.length };
  },
};

/** An authority ends before the next `/`, so two of them never overlap. */
function authorityAt(text: string, begin: number): string {
  const last = Math.min(text.length, begin + LONGEST_AUTHORITY);
  let end = begin;
  while (end < last && !AUTHORITY_END.has(text.charAt(end))) end += 1;
  return text.slice(begin, end);
}
