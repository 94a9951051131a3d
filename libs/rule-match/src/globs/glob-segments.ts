import type { FlatToken } from './expand-braces.js';
import { GlobSyntaxError } from './glob-syntax-error.js';

export type NameToken = Exclude<FlatToken, { kind: 'slash' }>;

/** Directories of any number, or one name. */
export type GlobSegment = { readonly kind: 'directories' } | { readonly kind: 'name'; readonly tokens: NameToken[] };

/** One of the patterns a glob stands for. */
export interface GlobAlternative {
  readonly segments: readonly GlobSegment[];
  /** Starts at the repository's root; false for a pattern without a slash before its last character. */
  readonly anchored: boolean;
}

const DIRECTORIES: GlobSegment = { kind: 'directories' };

/**
 * Cuts one alternative into segments. A slash at the start or in the middle anchors it (`./` too, since it names the
 * root); without one it holds at any depth. A slash at the end means everything under it. Doubled slashes and `.`
 * carry no meaning. Null when nothing is left to name.
 *
 * @throws GlobSyntaxError for `..`, which no path of a repository holds
 */
export function segmentsOf(tokens: readonly FlatToken[]): GlobAlternative | null {
  const names = splitAtSlashes(tokens);
  const firstName = names.findIndex((name) => name.length > 0);
  if (firstName < 0) return null;
  const lastName = names.findLastIndex((name) => name.length > 0);
  const anchored = lastName > 0;
  const written = names.filter((name) => name.length > 0 && !isText(name, '.'));
  if (written.length === 0) return null;
  if (written.some((name) => isText(name, '..'))) {
    throw new GlobSyntaxError('".." names nothing in a repository: paths start at its root', 0);
  }
  const segments = written.map(segmentOf);
  if (!anchored) segments.unshift(DIRECTORIES);
  if (lastName < names.length - 1) segments.push(DIRECTORIES);
  return { segments: withoutRepeats(segments), anchored };
}

/**
 * A pattern that is, character for character, the path matches it, whatever its reading as a glob: at any depth where it
 * has no slash, or `**` in front, which says the same.
 */
export function literalAlternative(pattern: string): GlobAlternative | null {
  const alternative = segmentsOf(Array.from(pattern, literalToken));
  const first = alternative?.segments.findIndex((segment) => !crosses(segment)) ?? -1;
  if (!alternative || first < 0) return null;
  const depth = first > 0 ? [DIRECTORIES] : [];
  return { segments: [...depth, ...alternative.segments.slice(first)], anchored: alternative.anchored };
}

const crosses = (segment: GlobSegment): boolean => segment.kind === 'directories' || isText(segment.tokens, '**');

const literalToken = (text: string): FlatToken => (text === '/' ? { kind: 'slash' } : { kind: 'literal', text });

function splitAtSlashes(tokens: readonly FlatToken[]): NameToken[][] {
  const names: NameToken[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'slash') names.push([]);
    else names.at(-1)?.push(token);
  }
  return names;
}

/** `**` as a whole segment crosses directories; anywhere else two stars are one. */
function segmentOf(tokens: NameToken[]): GlobSegment {
  const isGlobstar = tokens.length === 2 && tokens.every(({ kind }) => kind === 'star');
  return isGlobstar ? DIRECTORIES : { kind: 'name', tokens };
}

const withoutRepeats = (segments: readonly GlobSegment[]): GlobSegment[] =>
  segments.filter(({ kind }, index) => kind !== 'directories' || segments[index - 1]?.kind !== 'directories');

/** The text of a name without wildcards, else null. */
export function textOf(tokens: readonly NameToken[]): string | null {
  let text = '';
  for (const token of tokens) {
    if (token.kind !== 'literal') return null;
    text += token.text;
  }
  return text;
}

const isText = (tokens: readonly NameToken[], text: string): boolean => textOf(tokens) === text;
