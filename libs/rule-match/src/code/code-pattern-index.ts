import type { CompiledCodePattern } from './compile-code-pattern.js';
import { GramTable, type KeyedLiteral } from './gram-table.js';

/** UTF-16 units: a word's stem or a call has three, a name of its own has eight, which hardly any other text shares. */
const GRAM_LENGTHS = [8, 3];

/**
 * Which patterns are worth asking about a text: one pass over the text for each length of gram, however many patterns
 * there are. A pattern of which no literal of three units is known is always worth asking.
 */
export class CodePatternIndex {
  private readonly always: readonly number[];
  private readonly tables: readonly GramTable[];

  /** @param patterns are known by their index in this list */
  constructor(private readonly patterns: readonly CompiledCodePattern[]) {
    const always: number[] = [];
    const keyed: KeyedLiteral[] = [];
    patterns.forEach(({ literals }, entry) => {
      if (!literals || literals.some((literal) => lengthFor(literal) === undefined)) always.push(entry);
      else keyed.push(...literals.map((literal) => ({ literal, entry })));
    });
    this.always = always;
    this.tables = GRAM_LENGTHS.map(
      (length) =>
        new GramTable(
          length,
          keyed.filter(({ literal }) => lengthFor(literal) === length),
        ),
    );
  }

  /** The numbers of the patterns that the text may match, each once. Pauses after each look for a literal. */
  *candidates(code: string): Generator<void, Set<number>> {
    const found = new Set(this.always);
    for (const number of this.tables.flatMap((table) => table.entriesIn(code))) {
      if (found.has(number)) continue;
      // A gram is a hint; the literal itself is looked for before anything is compiled.
      if (this.holdsLiteral(number, code)) found.add(number);
      yield;
    }
    return found;
  }

  private holdsLiteral(number: number, code: string): boolean {
    return this.patterns[number]?.literals?.some((literal) => code.includes(literal)) ?? false;
  }
}

/** The longest gram a literal has; undefined when it has none. */
const lengthFor = (literal: string): number | undefined => GRAM_LENGTHS.find((length) => literal.length >= length);
