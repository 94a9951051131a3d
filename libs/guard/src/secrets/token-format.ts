import { RE2JS } from 're2js';
import { canBeginAt, canEndAt, CHARACTER_CLASSES, type CharacterClass } from './characters.js';
import type { DetectedSecret, SecretRule } from './secret-rule.js';
import { hasVariety, isPlaceholder } from './generated-value.js';

/** A credential that its vendor made recognisable: a fixed prefix (or middle) and a body of known characters and length. */
export interface TokenFormat {
  readonly kind: string;
  /** Literal, exact case. */
  readonly prefixes: readonly string[];
  /** The prefix names the value and is no part of it (`AccountKey=`). */
  readonly isLabel?: true;
  /** RE2 expression for what follows the prefix. */
  readonly body: string;
  /** Characters that stand before the prefix and belong to the token, where the fixed part is in the middle. */
  readonly before?: { readonly of: CharacterClass; readonly min: number; readonly max: number };
  /** Characters of the body that are looked at, where 320 are too few to see its end. */
  readonly longest?: number;
  /** Last word, for checksums and the like. */
  readonly isValid?: (body: string, token: string) => boolean;
}

/** No body is looked at beyond this: longer ones are known by their first 320 characters. */
const LONGEST_BODY = 320;
/** Looked at before the expression runs: a row of prefixes without secrets (`-glpat--glpat-…`) has few characters. */
const SAMPLE = 64;

export function ruleFor(format: TokenFormat): SecretRule {
  let compiled: RE2JS | null = null;
  // Compiled when first needed (0.1 to 3 ms each): all of them at start would delay every process for rare vendors.
  const expression = (): RE2JS => (compiled ??= RE2JS.compile(`^(?:${format.body})`));
  return {
    keywords: format.prefixes,
    contextual: false,
    find: (text, keywordAt) => {
      const prefix = format.prefixes.find((candidate) => text.startsWith(candidate, keywordAt));
      if (prefix === undefined) return null;
      const begin = beginOf(format, text, keywordAt);
      const bodyAt = keywordAt + prefix.length;
      return begin === null
        ? null
        : match(format, expression, { text, offset: format.isLabel ? bodyAt : begin, bodyAt });
    },
  };
}

interface Candidate {
  readonly text: string;
  readonly offset: number;
  readonly bodyAt: number;
}

function match(format: TokenFormat, expression: () => RE2JS, candidate: Candidate): DetectedSecret | null {
  const { text, offset, bodyAt } = candidate;
  if (!hasVariety(text, format.before ? offset : bodyAt, bodyAt + SAMPLE)) return null;
  const end = endOfBody(expression(), text, bodyAt, format.longest ?? LONGEST_BODY);
  if (end === null) return null;
  const body = text.slice(bodyAt, end);
  const token = text.slice(offset, end);
  if (isPlaceholder(format.before ? token : body)) return null;
  if (format.isValid && !format.isValid(body, token)) return null;
  return { kind: format.kind, offset, length: end - offset };
}

function endOfBody(expression: RE2JS, text: string, bodyAt: number, longest: number): number | null {
  const matcher = expression.matcher(text.slice(bodyAt, bodyAt + longest));
  if (!matcher.find()) return null;
  const end = bodyAt + matcher.end();
  return matcher.end() === longest || canEndAt(text, end) ? end : null;
}

/** Where the token begins, or null when it cannot begin there. */
function beginOf(format: TokenFormat, text: string, prefixAt: number): number | null {
  const { before } = format;
  // After a dash it may lie inside an earlier candidate; with long bodies the work would grow with the square.
  if (format.longest !== undefined && text.charAt(prefixAt - 1) === '-') return null;
  if (before === undefined) return canBeginAt(text, prefixAt) ? prefixAt : null;
  const isPart = CHARACTER_CLASSES[before.of];
  let begin = prefixAt;
  while (begin > 0 && prefixAt - begin < before.max && isPart(text.charCodeAt(begin - 1))) begin -= 1;
  return prefixAt - begin >= before.min && canBeginAt(text, begin) ? begin : null;
}
