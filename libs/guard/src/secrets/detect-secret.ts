import { BASIC_CREDENTIALS, BEARER_TOKEN, CURL_CREDENTIALS } from './authorization-header.js';
import { KeywordScanner } from './keyword-scanner.js';
import { NAMED_VALUE } from './named-value.js';
import { PEM_PRIVATE_KEY, PUTTY_PRIVATE_KEY } from './private-key.js';
import type { DetectedSecret, SecretRule } from './secret-rule.js';
import { ruleFor } from './token-format.js';
import { TOKEN_FORMATS } from './token-formats.js';
import { URL_PASSWORD } from './url-password.js';

const RULES: readonly SecretRule[] = [
  ...TOKEN_FORMATS.map((format) => ruleFor(format)),
  PEM_PRIVATE_KEY,
  PUTTY_PRIVATE_KEY,
  URL_PASSWORD,
  BEARER_TOKEN,
  BASIC_CREDENTIALS,
  CURL_CREDENTIALS,
  NAMED_VALUE,
];

const KEYWORDS: readonly string[] = [
  ...new Set(RULES.flatMap((rule) => rule.keywords.map((word) => word.toLowerCase()))),
];
const RULES_BY_KEYWORD = KEYWORDS.map((keyword) =>
  RULES.filter((rule) => rule.keywords.some((word) => word.toLowerCase() === keyword)),
);
const SCANNER = new KeywordScanner(KEYWORDS);

/** No credential of any rule is shorter, its keyword included. */
const SHORTEST_TEXT = 12;

/**
 * The first credential in a text, or null (requirement L4). Offset and length count UTF-16 code units, as the text gate
 * does and as every JavaScript client can use them unchanged. The value leaves neither in the result nor in an error.
 *
 * Synchronous and linear in the text's length: one pass finds keywords, and only what stands beside one is looked at.
 */
export function detectSecret(text: string): DetectedSecret | null {
  if (text.length < SHORTEST_TEXT) return null;
  let found: DetectedSecret | null = null;
  const later: (() => DetectedSecret | null)[] = [];
  SCANNER.scan(text, (keyword, offset) => {
    for (const rule of RULES_BY_KEYWORD[keyword] ?? []) {
      if (rule.contextual) later.push(() => rule.find(text, offset));
      else found ??= rule.find(text, offset);
    }
    return found !== null;
  });
  return found ?? firstOf(later);
}

function firstOf(attempts: readonly (() => DetectedSecret | null)[]): DetectedSecret | null {
  for (const attempt of attempts) {
    const found = attempt();
    if (found !== null) return found;
  }
  return null;
}
