import type { CompiledCodePattern } from './compile-code-pattern.js';
import { GramTable } from './gram-table.js';

/** UTF-16 units: a word's stem or a call has three, a name of its own has eight, which hardly any other text shares. */
const GRAM_LENGTHS = [8, 3];

/**
 * Which patterns are worth asking about a text: one pass over the text for each length of gram, however many patterns
 * there are. A pattern of which no literal of three units is known is always worth asking.
 */
export class CodePatternIndex {
  private readonly always: number[] = [];
  private readonly tables = GRAM_LENGTHS.map((length) => new GramTable(length));

  /** @param patterns are known by their index in this list */
  constructor(private readonly patterns: readonly CompiledCodePattern[]) {
    patterns.forEach(({ literals }, number) => {
      const placed = literals?.map((literal) => ({ literal, table: this.tableFor(literal) }));
      if (!placed || placed.some(({ table }) => table === undefined)) this.always.push(number);
      else for (const { literal, table } of placed) table?.add(literal, number);
    });
  }

  /** The numbers of the patterns that the text may match, each once. */
  candidates(code: string): Set<number> {
    const found = new Set(this.always);
    for (const number of this.tables.flatMap((table) => table.entriesIn(code))) {
      // A gram is a hint; the literal itself is looked for before anything is compiled.
      if (!found.has(number) && this.holdsLiteral(number, code)) found.add(number);
    }
    return found;
  }

  private holdsLiteral(number: number, code: string): boolean {
    return this.patterns[number]?.literals?.some((literal) => code.includes(literal)) ?? false;
  }

  private tableFor(literal: string): GramTable | undefined {
    return this.tables.find(({ length }) => literal.length >= length);
  }
}
