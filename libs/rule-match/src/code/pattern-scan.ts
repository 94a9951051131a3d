/** What of an RE2 pattern matters for finding its literals and its brackets. */
export type PatternToken =
  | { readonly kind: 'literal'; readonly text: string }
  /** Some text, or a condition on it: a class, a dot, an anchor, an escape with a meaning of its own. */
  | { readonly kind: 'gap' }
  | { readonly kind: 'open'; readonly index: number }
  | { readonly kind: 'close' }
  | { readonly kind: 'or' }
  | { readonly kind: 'repeat'; readonly least: number }
  /** `(?i)`: from here on letters stand for their other cases too. */
  | { readonly kind: 'fold' };

interface Piece {
  readonly tokens: readonly PatternToken[];
  /** UTF-16 index behind it. */
  readonly end: number;
}

const GAP: PatternToken = { kind: 'gap' };
const QUOTE_END = '\\E';

/** Escapes longer than two characters: hex, Unicode properties, octal. */
const LONG_ESCAPE = /\\(?:[xpP]\{[^}]*\}|x[0-9A-Fa-f]{2}|[pP].|[0-7]{1,3})/sy;
const COUNTED_REPEAT = /\{(\d+)(?:,\d*)?\}\??/y;
const PLAIN_REPEAT = /[*+?]\??/y;
const GROUP_START = /\(\?(?:P?<[^>]*>|([A-Za-z]*)(?:-[A-Za-z]*)?([:)]))/y;
const POSIX_CLASS = /\[:\^?[a-z]+:\]/y;

/** Reads a pattern from left to right. Meant for patterns RE2 takes, or takes but for a bracket; never throws. */
export function scanPattern(pattern: string): PatternToken[] {
  const tokens: PatternToken[] = [];
  let index = 0;
  while (index < pattern.length) {
    const piece = pieceAt(pattern, index);
    tokens.push(...piece.tokens);
    index = piece.end;
  }
  return tokens;
}

/** UTF-16 index of the innermost group that is never closed, or 0. */
export function unclosedGroup(pattern: string): number {
  const open: number[] = [];
  for (const token of scanPattern(pattern)) {
    if (token.kind === 'open') open.push(token.index);
    else if (token.kind === 'close') open.pop();
  }
  return open.at(-1) ?? 0;
}

function pieceAt(pattern: string, index: number): Piece {
  const sign = String.fromCodePoint(pattern.codePointAt(index) ?? 0);
  const one = (token: PatternToken): Piece => ({ tokens: [token], end: index + sign.length });
  switch (sign) {
    case '\\':
      return escapeAt(pattern, index);
    case '[':
      return { tokens: [GAP], end: endOfClass(pattern, index) };
    case '(':
      return groupAt(pattern, index);
    case ')':
      return one({ kind: 'close' });
    case '|':
      return one({ kind: 'or' });
    case '.':
    case '^':
    case '$':
      return one(GAP);
    default:
      return repeatAt(pattern, index) ?? one({ kind: 'literal', text: sign });
  }
}

function repeatAt(pattern: string, index: number): Piece | null {
  const counted = matchAt(COUNTED_REPEAT, pattern, index);
  if (counted) {
    return { tokens: [{ kind: 'repeat', least: Number(counted[1]) }], end: index + counted[0].length };
  }
  const plain = matchAt(PLAIN_REPEAT, pattern, index);
  if (!plain) return null;
  return { tokens: [{ kind: 'repeat', least: plain[0].startsWith('+') ? 1 : 0 }], end: index + plain[0].length };
}

function escapeAt(pattern: string, index: number): Piece {
  if (pattern.startsWith('\\Q', index)) return quoteAt(pattern, index);
  const long = matchAt(LONG_ESCAPE, pattern, index);
  if (long) return { tokens: [GAP], end: index + long[0].length };
  const escaped = pattern.codePointAt(index + 1);
  if (escaped === undefined) return { tokens: [GAP], end: pattern.length };
  const text = String.fromCodePoint(escaped);
  const token: PatternToken = /[A-Za-z0-9]/.test(text) ? GAP : { kind: 'literal', text };
  return { tokens: [token], end: index + 1 + text.length };
}

function quoteAt(pattern: string, index: number): Piece {
  const close = pattern.indexOf(QUOTE_END, index + 2);
  const quoted = pattern.slice(index + 2, close < 0 ? undefined : close);
  return {
    tokens: Array.from(quoted, (text): PatternToken => ({ kind: 'literal', text })),
    end: close < 0 ? pattern.length : close + QUOTE_END.length,
  };
}

/** `]` first in a class is itself. */
function endOfClass(pattern: string, start: number): number {
  let index = start + (pattern[start + 1] === '^' ? 2 : 1);
  if (pattern[index] === ']') index += 1;
  while (index < pattern.length && pattern[index] !== ']') {
    const posix = matchAt(POSIX_CLASS, pattern, index);
    if (posix) index += posix[0].length;
    else index += pattern[index] === '\\' ? 2 : 1;
  }
  return index + 1;
}

function groupAt(pattern: string, index: number): Piece {
  const open: PatternToken = { kind: 'open', index };
  const start = matchAt(GROUP_START, pattern, index);
  if (!start) return { tokens: [open], end: index + 1 };
  const [text, flags = '', end = ':'] = start;
  const tokens: PatternToken[] = end === ':' ? [open] : [];
  if (flags.includes('i')) tokens.push({ kind: 'fold' });
  return { tokens, end: index + text.length };
}

function matchAt(expression: RegExp, text: string, index: number): RegExpExecArray | null {
  expression.lastIndex = index;
  return expression.exec(text);
}
