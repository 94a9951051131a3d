import { compileCodePattern, type CompiledCodePattern } from '../code/compile-code-pattern.js';
import { compileGlob, type CompiledGlob } from '../globs/compile-glob.js';

/** Values known by number, equal texts by the same one. */
class NumberedTexts<Value> {
  readonly values: Value[] = [];
  private readonly numbers = new Map<string, number | null>();

  /** @param make is asked once per text; null: it has no value and no number */
  numberOf(text: string, make: () => Value | null): number | null {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const value = make();
    const number = value === null ? null : this.values.push(value) - 1;
    this.numbers.set(text, number);
    return number;
  }

  valueOf(text: string): Value | undefined {
    return this.values[this.numbers.get(text) ?? -1];
  }
}

/**
 * Globs and code patterns of a rule set, each compiled once however many rules name it. Those of an earlier version of
 * the set are taken over, with whatever RE2 has compiled for them.
 */
export class PatternTables {
  private readonly globTexts = new NumberedTexts<CompiledGlob>();
  private readonly codeTexts = new NumberedTexts<CompiledCodePattern>();

  get globs(): readonly CompiledGlob[] {
    return this.globTexts.values;
  }

  get codePatterns(): readonly CompiledCodePattern[] {
    return this.codeTexts.values;
  }

  /** Null for a text that is no glob. */
  globNumber(text: string, earlier: PatternTables | null): number | null {
    return this.globTexts.numberOf(text, () => earlier?.globTexts.valueOf(text) ?? soundGlob(text));
  }

  codePatternNumber(text: string, earlier: PatternTables | null): number {
    return this.codeTexts.numberOf(text, () => earlier?.codeTexts.valueOf(text) ?? compileCodePattern(text)) ?? -1;
  }
}

function soundGlob(text: string): CompiledGlob | null {
  const glob = compileGlob(text);
  return glob.kind === 'glob' ? glob : null;
}
