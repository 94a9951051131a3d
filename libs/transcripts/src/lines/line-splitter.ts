import type { LineFilter } from './line-filter.js';

/** What becomes of the lines. Buffers are lent: they are written over once the call returns. */
export interface LineTaker {
  /** A whole line without its line feed; `endsAt` is the offset in the file just after the line feed. */
  line(buffer: Buffer, start: number, end: number, endsAt: number): void;
  /** A piece of a line too long to be held; its last piece is followed by `longLineEnd`. */
  longLinePiece(piece: Buffer): void;
  longLineEnd(endsAt: number): void;
}

const LINE_FEED = 0x0a;
/** A longer line is handed on in pieces. */
const HELD_LINE_LIMIT = 1 << 20;

/**
 * Cuts bytes into lines at 0x0A only: U+2028 is text (nodejs/node#62785 shows what else a line reader may do). Holds at
 * most one line of HELD_LINE_LIMIT bytes.
 */
export class LineSplitter {
  #held = Buffer.alloc(0);
  #heldLength = 0;
  #isInLongLine = false;
  #offset: number;

  constructor(
    private readonly filter: LineFilter,
    private readonly taker: LineTaker,
    offset: number,
  ) {
    this.#offset = offset;
  }

  push(chunk: Buffer): void {
    let start = this.#finishHeldLine(chunk);
    if (start === -1) return;
    this.filter.begin(chunk);
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1) break;
      this.taker.line(chunk, start, end, this.#offset + end + 1);
      start = end + 1;
    }
    this.#offset += chunk.length;
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** The bytes after the last line feed: null when there are none, or too many to be held. */
  tail(): Buffer | null {
    if (this.#isInLongLine || this.#heldLength === 0) return null;
    const tail = this.#held.subarray(0, this.#heldLength);
    this.filter.begin(tail);
    return tail;
  }

  get isInLongLine(): boolean {
    return this.#isInLongLine;
  }

  /** Bytes given so far, counted from the beginning of the file. */
  get offset(): number {
    return this.#offset;
  }

  /** @returns where the next line starts in the chunk, or -1 when the whole chunk belongs to the line before */
  #finishHeldLine(chunk: Buffer): number {
    if (this.#heldLength === 0 && !this.#isInLongLine) return 0;
    const end = chunk.indexOf(LINE_FEED);
    this.#hold(end === -1 ? chunk : chunk.subarray(0, end));
    if (end === -1) {
      this.#offset += chunk.length;
      return -1;
    }
    const endsAt = this.#offset + end + 1;
    if (this.#isInLongLine) this.taker.longLineEnd(endsAt);
    else {
      this.filter.begin(this.#held.subarray(0, this.#heldLength));
      this.taker.line(this.#held, 0, this.#heldLength, endsAt);
    }
    this.#heldLength = 0;
    this.#isInLongLine = false;
    return end + 1;
  }

  #hold(bytes: Buffer): void {
    if (!this.#isInLongLine && this.#heldLength + bytes.length > HELD_LINE_LIMIT) {
      this.taker.longLinePiece(this.#held.subarray(0, this.#heldLength));
      this.#isInLongLine = true;
      this.#heldLength = 0;
    }
    if (this.#isInLongLine) return this.taker.longLinePiece(bytes);
    const length = this.#heldLength + bytes.length;
    if (length > this.#held.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, Math.min(HELD_LINE_LIMIT, 2 * this.#held.length)));
      this.#held.copy(larger, 0, 0, this.#heldLength);
      this.#held = larger;
    }
    bytes.copy(this.#held, this.#heldLength);
    this.#heldLength = length;
  }
}
