import { readClass } from './character-class.js';
import { GlobSyntaxError } from './glob-syntax-error.js';

/** One sign of a glob: what may stand for text, and what structures it. */
export type GlobToken =
  | { readonly kind: 'literal'; readonly text: string }
  /** `*`: any text within a segment. */
  | { readonly kind: 'star' }
  /** `?`: one code point other than the separator. */
  | { readonly kind: 'any' }
  /** `[…]`, already as RE2. */
  | { readonly kind: 'class'; readonly expression: string }
  | { readonly kind: 'slash' }
  | { readonly kind: 'open'; readonly position: number }
  | { readonly kind: 'comma' }
  | { readonly kind: 'close' };

/** What a sign stands for when no backslash escapes it. */
const SIGNS: Readonly<Record<string, (position: number) => GlobToken>> = {
  '*': () => ({ kind: 'star' }),
  '?': () => ({ kind: 'any' }),
  '/': () => ({ kind: 'slash' }),
  '{': (position) => ({ kind: 'open', position }),
  ',': () => ({ kind: 'comma' }),
  '}': () => ({ kind: 'close' }),
};

/**
 * Reads the signs of a glob. Classes are read here, before anything is split at a slash, since `[/]` is a class.
 *
 * @param points the pattern's code points
 * @param start where to begin: behind a leading `!`
 * @throws GlobSyntaxError with a zero-based code point position
 */
export function tokenizeGlob(points: readonly string[], start: number): GlobToken[] {
  refuseWindowsPattern(points, start);
  const tokens: GlobToken[] = [];
  let at = start;
  while (at < points.length) {
    const point = points[at] ?? '';
    if (point === '[') {
      const { expression, end } = readClass(points, at);
      tokens.push({ kind: 'class', expression });
      at = end;
    } else if (point === '\\') {
      tokens.push({ kind: 'literal', text: escapedPoint(points, at) });
      at += 2;
    } else {
      tokens.push(SIGNS[point]?.(at) ?? { kind: 'literal', text: point });
      at += 1;
    }
  }
  return tokens;
}

/** A letter or digit needs no escape, so the backslash before one is almost surely a Windows separator. */
function escapedPoint(points: readonly string[], at: number): string {
  const escaped = points[at + 1];
  if (escaped === undefined) throw new GlobSyntaxError('the backslash at the end escapes nothing', at);
  if (escaped === '/' || /[\p{L}\p{N}_]/u.test(escaped)) throw separatorError(points, at);
  return escaped;
}

/**
 * `src\**\*.ts` would be taken as escaped stars and match nothing. Windows allows no star in a name, and a pattern with
 * separators has one before its last star: so an escaped wildcard behind other text, without any slash, is refused.
 * (`[*]` names a star in every position.)
 */
function refuseWindowsPattern(points: readonly string[], start: number): void {
  if (points.includes('/')) return;
  for (let at = start; at < points.length; at += 1) {
    if (points[at] !== '\\') continue;
    const escaped = points[at + 1];
    if (at > start && (escaped === '*' || escaped === '?')) throw separatorError(points, at);
    at += 1;
  }
}

function separatorError(points: readonly string[], position: number): GlobSyntaxError {
  const slashed = points.join('').replace(/[\\/]+/g, '/');
  return new GlobSyntaxError(`the separator is "/": write ${slashed}`, position);
}
