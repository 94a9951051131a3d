import { scanPattern, type PatternToken } from './pattern-scan.js';

/** More alternatives than that are not worth looking up one by one. */
const MAX_LITERALS = 32;

/** Text that matches holds at least one of these; null when nothing is known. */
type AnyOf = readonly string[] | null;

interface Cursor {
  readonly tokens: readonly PatternToken[];
  at: number;
}

/**
 * Literals of which a text must hold at least one to match: the longest run that no repeat makes optional, or one of
 * each branch. Read off the pattern's text, since compiling thousands of patterns would take seconds. Errs to null.
 */
export function requiredLiterals(pattern: string): readonly string[] | null {
  const tokens = scanPattern(pattern);
  if (tokens.some(({ kind }) => kind === 'fold')) return null;
  return readBranches({ tokens, at: 0 });
}

/** Reads up to the closing bracket or the end. */
function readBranches(cursor: Cursor): AnyOf {
  const branches = [readBranch(cursor)];
  while (cursor.tokens[cursor.at]?.kind === 'or') {
    cursor.at += 1;
    branches.push(readBranch(cursor));
  }
  cursor.at += 1;
  const literals = branches.flatMap((branch) => branch ?? []);
  return branches.includes(null) || literals.length > MAX_LITERALS ? null : literals;
}

function readBranch(cursor: Cursor): AnyOf {
  let best: AnyOf = null;
  let run = '';
  const endRun = (): void => {
    if (run !== '') best = better(best, [run]);
    run = '';
  };
  for (;;) {
    const token = cursor.tokens[cursor.at];
    if (!token || token.kind === 'or' || token.kind === 'close') break;
    cursor.at += 1;
    if (token.kind === 'literal') {
      const least = readRepeat(cursor);
      if (least !== 0) run += token.text;
      if (least !== null) endRun();
    } else if (token.kind === 'open') {
      endRun();
      const inside = readBranches(cursor);
      if (readRepeat(cursor) !== 0) best = better(best, inside);
    } else {
      endRun();
      readRepeat(cursor);
    }
  }
  endRun();
  return best;
}

/** How often at least the item before must occur, or null when nothing repeats it. */
function readRepeat(cursor: Cursor): number | null {
  const token = cursor.tokens[cursor.at];
  if (token?.kind !== 'repeat') return null;
  cursor.at += 1;
  return token.least;
}

/** The longer its shortest literal, the fewer texts a pattern is asked about. */
function better(one: AnyOf, other: AnyOf): AnyOf {
  if (!one || !other) return one ?? other;
  return shortest(other) > shortest(one) ? other : one;
}

const shortest = (literals: readonly string[]): number => Math.min(...literals.map(({ length }) => length));
