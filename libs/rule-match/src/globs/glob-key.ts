import { textOf, type GlobAlternative, type GlobSegment, type NameToken } from './glob-segments.js';

/** Endings of a file name that the index looks up: `.d.ts` and `.ts` of `a.d.ts`. More dots than that are not keyed. */
const MAX_ENDING_DOTS = 3;

/** What the last segment of a glob asks of a file's name. */
type NameKey =
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'ending'; readonly text: string }
  | { readonly kind: 'none' };

/** Where the index keeps one alternative of a glob: a file it matches is found there. */
export interface GlobKey {
  /** Literal directories from the root. */
  readonly directories: readonly string[];
  /** Whether the file stands right in that directory, or anywhere beneath it. */
  readonly depth: 'in' | 'beneath';
  readonly name: NameKey;
  /** A directory name that stands somewhere below those; the longest, as the one the fewest paths hold. */
  readonly segment: string | null;
  /** The key says all that the alternative says: what is found there matches, and no expression need be asked. */
  readonly complete: boolean;
}

/** Reads the key off an alternative. */
export function keyOf({ segments }: GlobAlternative): GlobKey {
  const directories = leadingNames(segments.slice(0, -1));
  const rest = segments.slice(directories.length);
  const last = rest.at(-1);
  const crossing = rest.length > 1 || last?.kind === 'directories';
  const { key: name, complete: wholeName } = nameKeyOf(last);
  return {
    directories,
    depth: crossing ? 'beneath' : 'in',
    name,
    segment: longestName(rest.slice(0, -1)),
    complete: wholeName && (rest.length === 1 || (rest.length === 2 && rest[0]?.kind === 'directories')),
  };
}

function leadingNames(segments: readonly GlobSegment[]): string[] {
  const names: string[] = [];
  for (const segment of segments) {
    const text = segment.kind === 'name' ? textOf(segment.tokens) : null;
    if (text === null) break;
    names.push(text);
  }
  return names;
}

const longestName = (segments: readonly GlobSegment[]): string | null =>
  segments
    .map((segment) => (segment.kind === 'name' ? textOf(segment.tokens) : null))
    .reduce((longest, text) => (text !== null && text.length > (longest?.length ?? 0) ? text : longest), null);

function nameKeyOf(segment: GlobSegment | undefined): { key: NameKey; complete: boolean } {
  if (segment?.kind !== 'name') return { key: { kind: 'none' }, complete: true };
  const text = textOf(segment.tokens);
  if (text !== null) return { key: { kind: 'name', text }, complete: true };
  const tail = literalTail(segment.tokens);
  const starsAlone = segment.tokens.slice(0, segment.tokens.length - Array.from(tail).length).every(isStar);
  if (tail === '') return { key: { kind: 'none' }, complete: starsAlone };
  const ending = endingsOf(tail).at(-1);
  if (ending === undefined) return { key: { kind: 'none' }, complete: false };
  return { key: { kind: 'ending', text: ending }, complete: starsAlone && ending === tail };
}

const isStar = ({ kind }: NameToken): boolean => kind === 'star';

function literalTail(tokens: readonly NameToken[]): string {
  const lastWild = tokens.findLastIndex(({ kind }) => kind !== 'literal');
  return textOf(tokens.slice(lastWild + 1)) ?? '';
}

/** The endings of a name from each of its last dots on, shortest first: `.ts`, `.d.ts`. */
export function endingsOf(name: string): string[] {
  const endings: string[] = [];
  let dot = name.lastIndexOf('.');
  while (dot >= 0 && endings.length < MAX_ENDING_DOTS) {
    endings.push(name.slice(dot));
    dot = dot === 0 ? -1 : name.lastIndexOf('.', dot - 1);
  }
  return endings;
}
