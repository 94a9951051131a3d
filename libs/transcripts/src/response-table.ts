/** A billed response as far as it was read. Several lines of one response are one of these. */
export interface CountedResponse {
  readonly key: string;
  /** Instant of its first line, milliseconds since 1970; null when no line had one. */
  readonly at: number | null;
  readonly model: string | null;
  /** The client's own figures, of each the largest seen: a copy or a partial line never lowers them. */
  readonly figures: readonly number[];
  /** How many responses it stands for, where a client tells only sums; else 1. */
  readonly turns: number;
  /** What copies of the response in other transcripts share with it, when that is not its key. */
  readonly identity?: string;
}

/** A line of a response. */
export type ResponseLine = Omit<CountedResponse, 'turns'> & { readonly turns?: number };

/** The most figures of any client. */
const WIDTH = 6;
/** Behind the figures: the instant (NaN for none) and the turns. */
const AT = WIDTH;
const TURNS = WIDTH + 1;
const ROW = WIDTH + 2;
const NO_MODEL = -1;

/**
 * Responses by key, in the order of their first lines. Numbers stand in one array rather than in an object each: a
 * transcript of 600 MB has 40,000 responses, and objects that live on make the heap several times larger than they are.
 */
export class ResponseTable {
  readonly #rows = new Map<string, number>();
  readonly #models: string[] = [];
  readonly #identities = new Map<number, string>();
  #numbers = new Float64Array(ROW * 64);
  #modelOf = new Int32Array(64);

  static from(responses: Iterable<CountedResponse>): ResponseTable {
    const table = new ResponseTable();
    for (const response of responses) table.add(response);
    return table;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Some responses are known by something else than their keys. */
  get hasIdentities(): boolean {
    return this.#identities.size > 0;
  }

  /** A new response, or more of one that is known. */
  add(line: ResponseLine): void {
    const row = this.#rows.get(line.key) ?? this.#newRow(line);
    const start = row * ROW;
    for (let index = 0; index < line.figures.length; index += 1) {
      const figure = line.figures[index] ?? 0;
      if (figure > (this.#numbers[start + index] ?? 0)) this.#numbers[start + index] = figure;
    }
    const at = this.#numbers[start + AT] ?? NaN;
    if (line.at !== null && !(at <= line.at)) this.#numbers[start + AT] = line.at;
    if (this.#modelOf[row] === NO_MODEL) this.#modelOf[row] = this.#numberOf(line.model);
    if (line.identity !== undefined) this.#identities.set(row, line.identity);
  }

  /** What copies share: the identity a response was given, else its key behind `family`. */
  *identities(family: string): Generator<string> {
    for (const [key, row] of this.#rows) yield this.#identities.get(row) ?? family + key;
  }

  *[Symbol.iterator](): Generator<CountedResponse> {
    for (const [key, row] of this.#rows) yield this.#responseAt(key, row);
  }

  #responseAt(key: string, row: number): CountedResponse {
    const start = row * ROW;
    const figures: number[] = [];
    for (let index = start; index < start + WIDTH; index += 1) figures.push(this.#numbers[index] ?? 0);
    const at = this.#numbers[start + AT] ?? NaN;
    const response = {
      key,
      at: Number.isNaN(at) ? null : at,
      model: this.#models[this.#modelOf[row] ?? NO_MODEL] ?? null,
      figures,
      turns: this.#numbers[start + TURNS] ?? 1,
    };
    const identity = this.#identities.get(row);
    return identity === undefined ? response : { ...response, identity };
  }

  #newRow({ key, figures, turns = 1 }: ResponseLine): number {
    const row = this.#rows.size;
    this.#rows.set(key, row);
    if ((row + 1) * ROW > this.#numbers.length) this.#grow();
    this.#numbers.set(figures, row * ROW);
    this.#numbers[row * ROW + AT] = NaN;
    this.#numbers[row * ROW + TURNS] = turns;
    this.#modelOf[row] = NO_MODEL;
    return row;
  }

  #grow(): void {
    const [numbers, modelOf] = [this.#numbers, this.#modelOf];
    this.#numbers = new Float64Array(numbers.length * 2);
    this.#numbers.set(numbers);
    this.#modelOf = new Int32Array(modelOf.length * 2);
    this.#modelOf.set(modelOf);
  }

  #numberOf(model: string | null): number {
    if (model === null) return NO_MODEL;
    const known = this.#models.indexOf(model);
    return known === -1 ? this.#models.push(model) - 1 : known;
  }
}
