import { clientOf } from './clients/client-of.js';
import type { ClientName, RecordTarget, TranscriptClient } from './clients/transcript-client.js';
import { countFault, type Fault } from './faults.js';
import { JsonProjection } from './lines/json-projection.js';
import { isObject, type JsonObject } from './lines/json-value.js';
import type { LineFilter } from './lines/line-filter.js';
import { LineSplitter, type LineTaker } from './lines/line-splitter.js';
import { restoredTranscript, savedTranscript, type SavedReading } from './saved-reading.js';
import { emptyTranscript, type TranscriptState } from './transcript-state.js';

/** Of the counting rules in this library (U2). A change that counts differently makes it one more. */
export const GENERATION = 1;

/** So many bytes say whether a file is one pretty-printed document. */
const HEAD_LIMIT = 64;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const DOCUMENT_HEAD = /^(?:\xef\xbb\xbf)?[ \t]*\{[ \t]*\r?\n/;

/** Which transcript a file is, as far as its path tells. What it says of itself goes before. */
export interface FileIdentity {
  readonly id: string;
  readonly parentId?: string | null;
}

/**
 * Reads one transcript file given in pieces, in order: `write` … `write`, then `end`. Memory does not grow with the file
 * or its lines, only with the number of responses. `save` after any write gives what reading on needs.
 */
export class TranscriptReading {
  readonly #client: TranscriptClient;
  readonly #filter: LineFilter;
  readonly #transcripts: Map<string, TranscriptState>;
  readonly #own: TranscriptState;
  readonly #splitter: LineSplitter;
  /** Of a file not yet known to be lines or one document. */
  #head: Buffer | null = Buffer.alloc(0);
  #document: JsonProjection | null = null;
  #documentBytes = 0;
  #longLine: JsonProjection | null = null;
  #lineEnd: number;

  private constructor(client: ClientName, states: readonly TranscriptState[], offset: number) {
    this.#client = clientOf(client);
    this.#filter = this.#client.createFilter();
    const [own] = states;
    if (own === undefined) throw new RangeError('a saved reading has its own transcript first');
    this.#own = own;
    this.#transcripts = new Map(states.slice(1).map((state) => [state.id, state]));
    this.#lineEnd = offset;
    if (offset > 0) this.#head = null;
    this.#splitter = this.#splitterAt(offset);
  }

  static of(client: ClientName, { id, parentId = null }: FileIdentity): TranscriptReading {
    return new TranscriptReading(client, [emptyTranscript(id, parentId)], 0);
  }

  /** @throws RangeError when other rules of counting made it: the file has to be read from its beginning */
  static resume(saved: SavedReading): TranscriptReading {
    if (saved.generation !== GENERATION) throw new RangeError(`saved by generation ${saved.generation}`);
    return new TranscriptReading(saved.client, saved.transcripts.map(restoredTranscript), saved.resume_at);
  }

  /** @param chunk lent until the call returns */
  write(chunk: Buffer): void {
    if (this.#document) return this.#writeDocument(chunk);
    if (this.#head === null) return this.#splitter.push(chunk);
    this.#head = Buffer.concat([this.#head, chunk]);
    if (this.#head.length >= HEAD_LIMIT || this.#head.includes(0x0a)) this.#endHead();
  }

  /** What was read up to the last whole line. */
  save(): SavedReading {
    const states = [this.#own, ...this.#transcripts.values()];
    return {
      generation: GENERATION,
      client: this.#client.name,
      resume_at: this.#lineEnd,
      transcripts: states.map(savedTranscript),
    };
  }

  /** @returns the transcripts of the file, of which most have one; the reading is over */
  end(): TranscriptState[] {
    if (this.#head !== null) this.#endHead();
    if (this.#document) this.#endDocument(this.#document);
    else this.#endLines();
    if (!this.#client.isShared) return [this.#own];
    const shared = [...this.#transcripts.values()];
    const [first = this.#own] = shared;
    for (const [fault, times] of Object.entries(this.#own.faults)) countFault(first.faults, fault as Fault, times); // its keys
    return shared.length === 0 ? [this.#own] : shared;
  }

  #endHead(): void {
    const head = this.#head ?? Buffer.alloc(0);
    this.#head = null;
    if (!DOCUMENT_HEAD.test(head.subarray(0, HEAD_LIMIT).toString('latin1'))) return this.#splitter.push(head);
    this.#document = new JsonProjection(this.#client.kept);
    this.#writeDocument(head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? head.subarray(3) : head);
    this.#documentBytes = head.length;
  }

  #writeDocument(chunk: Buffer): void {
    this.#documentBytes += chunk.length;
    this.#document?.push(chunk);
  }

  /** All or nothing: of a document that is not whole nothing is complete. */
  #endDocument(document: JsonProjection): void {
    if (document.object !== null) return this.#take(document.object, 0, this.#documentBytes);
    countFault(this.#own.faults, document.hasFailed ? 'bad_lines' : 'tail_incomplete');
  }

  /** A last line without its line feed counts when it is a whole record: no part of one is. */
  #endLines(): void {
    if (this.#splitter.isInLongLine) this.#endLongTail();
    const tail = this.#splitter.tail();
    if (tail === null || isBlank(tail, 0, tail.length)) return;
    const record = parse(tail, afterMark(tail, 0, tail.length), tail.length);
    if (isObject(record)) this.#take(record, this.#lineEnd, this.#splitter.offset);
    else countFault(this.#own.faults, 'tail_incomplete');
  }

  #endLongTail(): void {
    const record = this.#longLine?.object ?? null;
    if (record !== null) this.#take(record, this.#lineEnd, this.#splitter.offset);
    else countFault(this.#own.faults, 'tail_incomplete');
  }

  #splitterAt(offset: number): LineSplitter {
    const taker: LineTaker = {
      line: (buffer, start, end, endsAt) => this.#line(buffer, start, end, endsAt),
      longLinePiece: (piece) => {
        this.#longLine ??= new JsonProjection(this.#client.kept);
        this.#longLine.push(piece);
      },
      longLineEnd: (endsAt) => this.#longLineEnd(endsAt),
    };
    return new LineSplitter(this.#filter, taker, offset);
  }

  #longLineEnd(endsAt: number): void {
    const record = this.#longLine?.object ?? null;
    this.#longLine = null;
    if (record !== null) return this.#take(record, this.#lineEnd, endsAt);
    countFault(this.#own.faults, 'long_lines_left_out');
    this.#passLine(endsAt);
  }

  #line(buffer: Buffer, from: number, end: number, endsAt: number): void {
    const start = buffer[from] === BYTE_ORDER_MARK[0] ? afterMark(buffer, from, end) : from;
    if (isBlank(buffer, start, end)) {
      this.#lineEnd = endsAt;
      if (!this.#client.isShared) this.#own.completeBytes = endsAt;
      return;
    }
    if (looksLikeObject(buffer, start, end) && !this.#filter.mayMatter(start, end)) return this.#passLine(endsAt);
    const record = this.#client.recordOf?.(buffer.subarray(start, end), this.#own) ?? parse(buffer, start, end);
    if (isObject(record)) return this.#take(record, this.#lineEnd, endsAt);
    if (record === undefined) countFault(this.#own.faults, 'bad_lines');
    this.#passLine(endsAt);
  }

  #passLine(endsAt: number): void {
    this.#lineEnd = endsAt;
    if (this.#client.isShared) return;
    this.#own.records += 1;
    this.#own.completeBytes = endsAt;
  }

  #take(record: JsonObject, offset: number, endsAt: number): void {
    const target: RecordTarget = {
      transcript: this.#own,
      transcriptOf: (id) => this.#transcriptOf(id),
      offset,
      bytes: endsAt - offset,
    };
    this.#client.take(record, target);
    this.#passLine(endsAt);
  }

  #transcriptOf(id: string): TranscriptState {
    const known = this.#transcripts.get(id);
    if (known !== undefined) return known;
    const created = emptyTranscript(id);
    this.#transcripts.set(id, created);
    return created;
  }
}

/** @returns undefined for what is no JSON; its texts are bytes as Latin-1, which textAt knows */
function parse(buffer: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(buffer.toString('latin1', start, end));
  } catch {
    return undefined;
  }
}

const afterMark = (buffer: Buffer, start: number, end: number): number =>
  end - start >= 3 && BYTE_ORDER_MARK.every((byte, index) => buffer[start + index] === byte) ? start + 3 : start;

const isBlankByte = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0d || byte === 0x09;

function isBlank(buffer: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (!isBlankByte(buffer[index])) return false;
  return true;
}

/** Enough to pass over a line that does not matter: one that was cut is read, and found out. */
function looksLikeObject(buffer: Buffer, start: number, end: number): boolean {
  let [first, last] = [start, end - 1];
  while (isBlankByte(buffer[first])) first += 1;
  while (isBlankByte(buffer[last])) last -= 1;
  return buffer[first] === 0x7b && buffer[last] === 0x7d;
}
