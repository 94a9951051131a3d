import { codePointLength } from '@perdure/contracts';
import { RE2JS } from 're2js';
import { expandBraces } from './expand-braces.js';
import { expressionOf } from './glob-expression.js';
import { literalAlternative, segmentsOf, type GlobAlternative } from './glob-segments.js';
import { GlobSyntaxError } from './glob-syntax-error.js';
import { tokenizeGlob, type GlobToken } from './glob-tokens.js';

/** Code points of one glob. */
const MAX_GLOB_LENGTH = 1_000;

export interface CompiledGlob {
  readonly kind: 'glob';
  readonly pattern: string;
  /** A leading `!`: what `matches` answers is then excluded. */
  readonly negated: boolean;
  /** What the glob stands for once its braces are expanded; the index reads its keys off them. */
  readonly alternatives: readonly GlobAlternative[];
  /** @param path as `normalizePath` gives it */
  matches(path: string): boolean;
}

export interface GlobError {
  readonly kind: 'glob_error';
  readonly message: string;
  /** Zero-based code point index into the pattern, in NFC. */
  readonly position: number;
}

/**
 * Compiles a glob of the dialect of `cases/rules/README.md`: relative to the repository's root, `/` separates,
 * case-sensitive, in NFC. `*` and `?` stay in a segment and match a leading dot; `**` as a whole segment crosses;
 * braces nest and expand as in a shell; `[…]` is a class; `\` escapes; a leading `!` excludes. Round brackets are plain
 * text: extglobs are how hanging patterns came into other matchers.
 *
 * Never throws. The expression is compiled at the first question, since most globs of an index are never asked.
 */
export function compileGlob(pattern: string): CompiledGlob | GlobError {
  const normal = pattern.normalize('NFC');
  try {
    refuseShape(normal);
    const negated = normal.startsWith('!');
    return new LazyGlob(pattern, negated, alternativesOf(normal, negated));
  } catch (error) {
    if (!(error instanceof GlobSyntaxError)) throw error;
    return { kind: 'glob_error', message: error.message, position: error.position };
  }
}

class LazyGlob implements CompiledGlob {
  readonly kind = 'glob';
  private expression: RE2JS | null = null;

  constructor(
    readonly pattern: string,
    readonly negated: boolean,
    readonly alternatives: readonly GlobAlternative[],
  ) {}

  matches(path: string): boolean {
    this.expression ??= RE2JS.compile(expressionOf(this.alternatives));
    return this.expression.testExact(path);
  }
}

function refuseShape(pattern: string): void {
  const length = codePointLength(pattern);
  if (length > MAX_GLOB_LENGTH) {
    throw new GlobSyntaxError(`has ${length} characters; the limit is ${MAX_GLOB_LENGTH}`, MAX_GLOB_LENGTH);
  }
  if (/^\s/u.test(pattern)) throw new GlobSyntaxError('starts with white space', 0);
  if (/(?<!\\)\s$/u.test(pattern)) throw new GlobSyntaxError('ends with white space', length - 1);
}

function alternativesOf(pattern: string, negated: boolean): GlobAlternative[] {
  const body = negated ? pattern.slice(1) : pattern;
  const tokens = tokenizeGlob(Array.from(pattern), negated ? 1 : 0);
  const read = expandBraces(tokens)
    .map(segmentsOf)
    .filter((alternative) => alternative !== null);
  if (read.length === 0) throw new GlobSyntaxError('names no path: write ** for everything', negated ? 1 : 0);
  const sameText = mayNameItself(body, tokens) ? literalAlternative(body) : null;
  return sameText ? [...read, sameText] : read;
}

/** Only brackets and braces can stand for something else than their own text; no path holds a backslash or ends in `/`. */
const mayNameItself = (body: string, tokens: readonly GlobToken[]): boolean =>
  tokens.some(({ kind }) => kind === 'class' || kind === 'open') && !body.includes('\\') && !body.endsWith('/');
