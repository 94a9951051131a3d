/** Entries of the sieve, one byte each. */
const SIEVE_SIZE = 1 << 16;
/** Odd, so that no power of it vanishes modulo 2³². */
const BASE = 0x0100_0193;

/**
 * Literals by one of their grams: a piece of fixed length, known by its hash. A text is passed once, with a rolling hash
 * (Karp and Rabin), whatever the number of literals. Equal hashes are a hint, not a proof.
 */
export class GramTable {
  private readonly byGram = new Map<number, number[]>();
  /** Made with the first literal: most rule sets have none. */
  private sieve: Uint8Array | null = null;
  /** Weight of the unit that leaves the window. */
  private readonly leaving: number;

  /** @param length UTF-16 units of a gram */
  constructor(readonly length: number) {
    let power = 1;
    for (let count = 1; count < length; count += 1) power = Math.imul(power, BASE);
    this.leaving = power;
  }

  /** Puts an entry under the gram of the literal that the fewest entries share so far. */
  add(literal: string, entry: number): void {
    let rarest = 0;
    let fewest = Infinity;
    this.forEachGram(literal, (gram) => {
      const sharing = this.byGram.get(gram)?.length ?? 0;
      if (sharing >= fewest) return;
      rarest = gram;
      fewest = sharing;
    });
    if (fewest === Infinity) throw new RangeError(`"${literal}" is shorter than a gram of ${this.length}`);
    const entries = this.byGram.get(rarest);
    if (entries) entries.push(entry);
    else this.byGram.set(rarest, [entry]);
    this.sieve ??= new Uint8Array(SIEVE_SIZE);
    this.sieve[rarest & (SIEVE_SIZE - 1)] = 1;
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
