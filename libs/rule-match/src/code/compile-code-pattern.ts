import { codePointLength } from '@perdure/contracts';
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { errorPosition } from './error-position.js';
import { requiredLiterals } from './required-literals.js';

/** Code points of one pattern. */
const MAX_CODE_PATTERN_LENGTH = 1_000;
/** RE2 instructions of one pattern. */
const MAX_PROGRAM_SIZE = 1_000;

export interface CompiledCodePattern {
  readonly kind: 'code_pattern';
  readonly pattern: string;
  /** Text it matches holds at least one of these; null when nothing is known. */
  readonly literals: readonly string[] | null;
  /**
   * What searching a text costs at worst: instructions times UTF-16 units. Measured over random text, the worst patterns
   * take some 30 ns a unit of it, ordinary ones a hundredth of that.
   */
  cost(code: string): number;
  /** Searches the text: the pattern need not match all of it. */
  matches(code: string): boolean;
}

export interface CodePatternError {
  readonly kind: 'code_pattern_error';
  readonly message: string;
  /** Zero-based code point index of what RE2 does not take. */
  readonly position: number;
}

/**
 * Judges a pattern for `create_rule`: RE2 syntax, within the limits. Null when it is sound. Look-around,
 * back-references and possessive repeats do not exist in RE2: they are what makes other engines hang.
 */
export function checkCodePattern(pattern: string): CodePatternError | null {
  const length = codePointLength(pattern);
  if (length > MAX_CODE_PATTERN_LENGTH) {
    return failure(`has ${length} characters; the limit is ${MAX_CODE_PATTERN_LENGTH}`, MAX_CODE_PATTERN_LENGTH);
  }
  try {
    const size = RE2JS.compile(pattern).programSize();
    if (size <= MAX_PROGRAM_SIZE) return null;
    return failure(`compiles to ${size} instructions; the limit is ${MAX_PROGRAM_SIZE}: shorten its repeats`, 0);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return failure(error.getDescription(), errorPosition(pattern, error));
    if (error instanceof RE2JSException) return failure(error.message, 0);
    throw error;
  }
}

const failure = (message: string, position: number): CodePatternError => ({
  kind: 'code_pattern_error',
  message,
  position,
});

/**
 * Prepares a pattern that `checkCodePattern` found sound. RE2 compiles it at the first text that holds one of its
 * literals: a compilation takes some 0.3 ms, and an index may hold thousands.
 *
 * `$` without `(?m)` is the end of the text alone, and with it the place before `\n`: text with `\r\n` needs `\r?$`.
 */
export function compileCodePattern(pattern: string): CompiledCodePattern {
  return new LazyCodePattern(pattern, requiredLiterals(pattern));
}

class LazyCodePattern implements CompiledCodePattern {
  readonly kind = 'code_pattern';
  private expression: RE2JS | null = null;

  constructor(
    readonly pattern: string,
    readonly literals: readonly string[] | null,
  ) {}

  cost(code: string): number {
    return this.compiled.programSize() * code.length;
  }

  matches(code: string): boolean {
    return this.compiled.test(code);
  }

  private get compiled(): RE2JS {
    return (this.expression ??= compileOrNothing(this.pattern));
  }
}

/** One rule that was stored under other limits must not fail the query of all others: it matches nothing. */
function compileOrNothing(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return RE2JS.compile('[^\\x{0}-\\x{10FFFF}]');
    throw error;
  }
}
