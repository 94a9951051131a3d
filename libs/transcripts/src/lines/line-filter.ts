/** Says from its bytes alone whether a line may matter. Saying yes too often costs time, saying no wrongly costs a record. */
export interface LineFilter {
  /** Before the lines of another buffer. */
  begin(buffer: Buffer): void;
  /** Of the line from `start` to `end` in that buffer. */
  mayMatter(start: number, end: number): boolean;
}

/**
 * A word with its quotes, looked for line by line. Inside a JSON string the quotes would be escaped, so text that talks
 * about a record is not mistaken for one; blanks around colons do not matter. The whole buffer is searched once however
 * many lines it has.
 */
export class QuotedWord {
  readonly #bytes;
  #buffer: Buffer = Buffer.alloc(0);
  #next = -1;
  #isExhausted = false;

  constructor(word: string) {
    this.#bytes = Buffer.from(`"${word}"`);
  }

  begin(buffer: Buffer): void {
    this.#buffer = buffer;
    this.#next = -1;
    this.#isExhausted = false;
  }

  isIn(start: number, end: number): boolean {
    if (this.#isExhausted) return false;
    if (this.#next < start) {
      this.#next = this.#buffer.indexOf(this.#bytes, start);
      if (this.#next === -1) {
        this.#isExhausted = true;
        return false;
      }
    }
    return this.#next < end;
  }
}

/** Lines with any of these words. */
export function linesWith(words: readonly string[]): LineFilter {
  const wanted = words.map((word) => new QuotedWord(word));
  return {
    begin: (buffer) => {
      for (const word of wanted) word.begin(buffer);
    },
    mayMatter: (start, end) => wanted.some((word) => word.isIn(start, end)),
  };
}

export const everyLine = (): LineFilter => ({ begin: () => undefined, mayMatter: () => true });
