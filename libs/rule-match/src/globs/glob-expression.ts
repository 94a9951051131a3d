import type { GlobAlternative, GlobSegment, NameToken } from './glob-segments.js';

/** `.` takes newlines as well: a file name may hold one. */
const FLAGS = '(?s)';

/**
 * The RE2 expression of a glob, to be matched against a whole normalised path. RE2 reads it in time linear in the path,
 * however many stars it has.
 */
export function expressionOf(alternatives: readonly GlobAlternative[]): string {
  return `${FLAGS}(?:${alternatives.map(({ segments }) => segments.map(segmentExpression).join('')).join('|')})`;
}

/** Each segment brings the slash that follows it, so that directories can stand for none at all. */
function segmentExpression(segment: GlobSegment, index: number, segments: readonly GlobSegment[]): string {
  const isLast = index === segments.length - 1;
  if (segment.kind === 'directories') return isLast ? '.*' : '(?:.*/)?';
  return nameExpression(segment.tokens) + (isLast ? '' : '/');
}

function nameExpression(tokens: readonly NameToken[]): string {
  // A name is never empty, so stars alone stand for at least one character.
  if (tokens.every(({ kind }) => kind === 'star')) return '[^/]+';
  return tokens.filter(isNoRepeatedStar).map(tokenExpression).join('');
}

const isNoRepeatedStar = (token: NameToken, index: number, tokens: readonly NameToken[]): boolean =>
  token.kind !== 'star' || tokens[index - 1]?.kind !== 'star';

function tokenExpression(token: NameToken): string {
  switch (token.kind) {
    case 'literal':
      return token.text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
    case 'star':
      return '[^/]*';
    case 'any':
      return '[^/]';
    case 'class':
      return token.expression;
  }
}
