import type { JsonObject } from './json-value.js';

/** Which members of a JSON text are kept. The others are passed over byte by byte and take no memory. */
export interface KeptNames {
  /** Kept at any depth; of their own members again only the kept ones. */
  readonly names: ReadonlySet<string>;
  /** Kept with everything inside. */
  readonly whole: ReadonlySet<string>;
}

/** Longer texts are cut: what is counted stands in short ones. */
const TEXT_LIMIT = 2_048;
/** Values kept of one text: about 100,000 messages. */
const VALUES_LIMIT = 1_000_000;
const DEPTH_LIMIT = 500;

const BYTE = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

interface Level {
  readonly container: Record<string, unknown> | unknown[] | null;
  readonly isObject: boolean;
  readonly isWhole: boolean;
  name: string;
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

function textOrNull(escaped: string): string | null {
  try {
    return String(JSON.parse(`"${escaped}"`));
  } catch {
    return null;
  }
}

const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/**
 * Reads one JSON object of any length in pieces, keeping some of its members: the memory it takes depends on what it
 * keeps, not on how long the text is. A line of 100 MB and a pretty-printed document are read with it.
 */
export class JsonProjection {
  #levels: Level[] = [];
  #expected: Expected = 'value';
  #root: JsonObject | null = null;
  #values = 0;
  #inText = false;
  #isEscaped = false;
  #isKept = false;
  #inLiteral = false;
  #kept: number[] = [];
  #hasFailed = false;

  constructor(private readonly keep: KeptNames) {}

  /** The text was no JSON object, or too much of it was to be kept. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The object, once its closing brace was read. */
  get object(): JsonObject | null {
    return this.#expected === 'nothing' && !this.#hasFailed ? this.#root : null;
  }

  push(bytes: Buffer): void {
    for (let index = 0; index < bytes.length && !this.#hasFailed;) {
      if (this.#inText && !this.#takesText) {
        index = this.#passText(bytes, index);
        continue;
      }
      const byte = bytes[index] ?? 0;
      if (this.#inText) this.#textByte(byte);
      else if (!this.#inLiteral || !this.#literalByte(byte)) this.#structureByte(byte);
      index += 1;
    }
  }

  get #takesText(): boolean {
    return this.#isKept && this.#kept.length < TEXT_LIMIT + 12;
  }

  /** What is not kept is nearly all there is: only its closing quote is looked for. @returns where to go on */
  #passText(bytes: Buffer, start: number): number {
    let from = start;
    if (this.#isEscaped) from += 1;
    this.#isEscaped = false;
    for (;;) {
      const quote = bytes.indexOf(BYTE.quote, from);
      const end = quote === -1 ? bytes.length : quote;
      let first = end;
      while (first > from && bytes[first - 1] === BYTE.backslash) first -= 1;
      const isEscaped = (end - first) % 2 === 1;
      if (quote === -1) {
        this.#isEscaped = isEscaped;
        return Math.max(from, bytes.length);
      }
      from = quote + 1;
      if (isEscaped) continue;
      this.#endText();
      return from;
    }
  }

  #textByte(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BYTE.backslash) this.#isEscaped = true;
    else if (byte === BYTE.quote) return this.#endText();
    this.#kept.push(byte);
  }

  /** @returns whether the byte belonged to the number or word */
  #literalByte(byte: number): boolean {
    if (isBlank(byte) || byte === BYTE.comma || byte === BYTE.closeArray || byte === BYTE.closeObject) {
      this.#inLiteral = false;
      const text = Buffer.from(this.#kept).toString('latin1');
      this.#put(this.#parsed(text));
      return false;
    }
    if (this.#kept.length > 400) this.#hasFailed = true;
    this.#kept.push(byte);
    return true;
  }

  #structureByte(byte: number): void {
    if (isBlank(byte)) return;
    const expected = this.#expected;
    if (byte === BYTE.quote && expected !== 'colon' && expected !== 'comma or end' && expected !== 'nothing') {
      return this.#beginText();
    }
    if (byte === BYTE.colon && expected === 'colon') this.#expected = 'value';
    else if (byte === BYTE.comma && expected === 'comma or end')
      this.#expected = this.#top?.isObject ? 'name' : 'value';
    else if (byte === BYTE.closeObject || byte === BYTE.closeArray) this.#close(byte === BYTE.closeObject);
    else if (expected === 'value' || expected === 'value or end') this.#beginValue(byte);
    else this.#hasFailed = true;
  }

  #beginValue(byte: number): void {
    if (byte === BYTE.openObject || byte === BYTE.openArray) return this.#open(byte === BYTE.openObject);
    if (this.#levels.length === 0) {
      this.#hasFailed = true;
      return;
    }
    this.#inLiteral = true;
    this.#kept = [byte];
  }

  #beginText(): void {
    this.#inText = true;
    this.#kept = [];
    const isName = this.#expected === 'name' || this.#expected === 'name or end';
    this.#isKept = isName ? this.#top?.container !== null : this.#keepsNext();
  }

  #endText(): void {
    this.#inText = false;
    if (this.#levels.length === 0) {
      this.#hasFailed = true;
      return;
    }
    const text = this.#isKept ? this.#textOf(this.#kept) : '';
    const top = this.#top;
    if (top !== undefined && (this.#expected === 'name' || this.#expected === 'name or end')) {
      top.name = text;
      this.#expected = 'colon';
    } else this.#put(text);
  }

  /** Bytes as Latin-1, as lines are parsed. A long text is cut where no escape is torn. */
  #textOf(bytes: readonly number[]): string {
    const text = Buffer.from(bytes).toString('latin1');
    if (bytes.length <= TEXT_LIMIT) return String(this.#parsed(`"${text}"`));
    for (let length = TEXT_LIMIT; length > TEXT_LIMIT - 6; length -= 1) {
      const value = textOrNull(text.slice(0, length));
      if (value !== null) return value;
    }
    this.#hasFailed = true;
    return '';
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      this.#hasFailed = true;
      return null;
    }
  }

  get #top(): Level | undefined {
    return this.#levels.at(-1);
  }

  #keepsNext(): boolean {
    const top = this.#top;
    if (top === undefined) return true;
    if (top.container === null) return false;
    return !top.isObject || top.isWhole || this.keep.names.has(top.name) || this.keep.whole.has(top.name);
  }

  #put(value: unknown): void {
    this.#expected = 'comma or end';
    const top = this.#top;
    if (top === undefined || !this.#keepsNext()) return;
    this.#values += 1;
    if (this.#values > VALUES_LIMIT) this.#hasFailed = true;
    if (Array.isArray(top.container)) top.container.push(value);
    // As JSON.parse does: `__proto__` is a name like any other.
    else if (top.container !== null)
      Object.defineProperty(top.container, top.name, { value, enumerable: true, configurable: true });
  }

  #open(isObject: boolean): void {
    const top = this.#top;
    if ((top === undefined && !isObject) || this.#levels.length >= DEPTH_LIMIT) {
      this.#hasFailed = true;
      return;
    }
    const isWhole = top !== undefined && (top.isWhole || (top.isObject && this.keep.whole.has(top.name)));
    const record = isObject && this.#keepsNext() ? {} : null;
    const container = record ?? (!isObject && this.#keepsNext() ? [] : null);
    if (top === undefined) this.#root = record;
    else this.#put(container);
    this.#levels.push({ container, isObject, isWhole, name: '' });
    this.#expected = isObject ? 'name or end' : 'value or end';
  }

  #close(isObject: boolean): void {
    const mayEnd = this.#expected === 'comma or end' || this.#expected === (isObject ? 'name or end' : 'value or end');
    if (!mayEnd || this.#levels.pop()?.isObject !== isObject) this.#hasFailed = true;
    this.#expected = this.#levels.length === 0 ? 'nothing' : 'comma or end';
  }
}
