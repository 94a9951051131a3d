/** Entries of the sieve, one byte each. */
const SIEVE_SIZE = 1 << 16;
/** Odd, so that no power of it vanishes modulo 2³². */
const BASE = 0x0100_0193;

export interface KeyedLiteral {
  readonly literal: string;
  readonly entry: number;
}

/**
 * Literals by one of their grams: a piece of fixed length, known by its hash. A text is passed once, with a rolling hash
 * (Karp and Rabin), whatever the number of literals. Equal hashes are a hint, not a proof.
 */
export class GramTable {
  private readonly byGram = new Map<number, number[]>();
  /** Null without literals: then no text need be passed. */
  private readonly sieve: Uint8Array | null;
  /** Weight of the unit that leaves the window. */
  private readonly leaving: number;

  /**
   * @param length UTF-16 units of a gram
   * @param literals none shorter than that
   */
  constructor(
    private readonly length: number,
    literals: readonly KeyedLiteral[],
  ) {
    let power = 1;
    for (let count = 1; count < length; count += 1) power = Math.imul(power, BASE);
    this.leaving = power;
    this.sieve = literals.length > 0 ? new Uint8Array(SIEVE_SIZE) : null;
    const sharing = this.countGrams(literals);
    for (const { literal, entry } of literals) this.add(this.rarestGram(literal, sharing), entry);
  }

  /** The entries whose gram the text seems to hold; an entry may come twice. */
  entriesIn(text: string): number[] {
    const { sieve } = this;
    if (sieve === null) return [];
    const seen = new Set<number>();
    this.forEachGram(text, (gram) => {
      if (sieve[gram & (SIEVE_SIZE - 1)] === 1) seen.add(gram);
    });
    return [...seen].flatMap((gram) => this.byGram.get(gram) ?? []);
  }

  private countGrams(literals: readonly KeyedLiteral[]): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const { literal } of literals) {
      this.forEachGram(literal, (gram) => counts.set(gram, (counts.get(gram) ?? 0) + 1));
    }
    return counts;
  }

  /** The gram that the fewest literals hold: it says the most about its own. */
  private rarestGram(literal: string, sharing: ReadonlyMap<number, number>): number {
    let rarest = 0;
    let fewest = Infinity;
    this.forEachGram(literal, (gram) => {
      const count = sharing.get(gram) ?? 0;
      if (count >= fewest) return;
      rarest = gram;
      fewest = count;
    });
    return rarest;
  }

  private add(gram: number, entry: number): void {
    const entries = this.byGram.get(gram);
    if (entries) entries.push(entry);
    else this.byGram.set(gram, [entry]);
    if (this.sieve) this.sieve[gram & (SIEVE_SIZE - 1)] = 1;
  }

  /** With a callback, since a generator made it three times slower. */
  private forEachGram(text: string, visit: (gram: number) => void): void {
    let gram = 0;
    for (let index = 0; index < text.length; index += 1) {
      if (index >= this.length) gram -= Math.imul(text.charCodeAt(index - this.length), this.leaving);
      gram = (Math.imul(gram, BASE) + text.charCodeAt(index)) | 0;
      if (index >= this.length - 1) visit(gram);
    }
  }
}
