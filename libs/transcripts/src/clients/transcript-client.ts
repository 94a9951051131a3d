import type { Faults } from '../faults.js';
import type { JsonObject } from '../lines/json-value.js';
import type { KeptNames } from '../lines/json-projection.js';
import type { LineFilter } from '../lines/line-filter.js';
import type { TokenClasses } from '../token-classes.js';
import type { TranscriptState } from '../transcript-state.js';

/** Where the records of a file go. */
export interface RecordTarget {
  /** The transcript of the file, or of its first record. */
  readonly transcript: TranscriptState;
  /** Of a file that holds several. */
  transcriptOf(id: string): TranscriptState;
  /** Where in the file the record starts, for records that name themselves by nothing else. */
  readonly offset: number;
  /** Length of the record's line. */
  readonly bytes: number;
}

/** One client's transcripts: which lines matter, what they say, and what its figures mean. */
export interface TranscriptClient {
  readonly name: ClientName;
  readonly kept: KeptNames;
  /** One file may hold several transcripts: each then counts the bytes of its own records. */
  readonly isShared?: boolean;
  /** A list of responses with their figures would not say as much as the report: there is none. */
  readonly hasNoResponseList?: boolean;
  createFilter(): LineFilter;
  /** A faster way to as much of a record as `take` asks for; null for a line that has to be parsed whole. */
  recordOf?(line: Buffer, transcript: TranscriptState): JsonObject | null;
  take(record: JsonObject, target: RecordTarget): void;
  /** The classes of one response, out of the figures that `take` gave it. */
  classesOf(figures: readonly number[], faults: Faults): TokenClasses;
  /** Prefix of identities that mean something within a family of transcripts only. */
  familyOf?(transcript: TranscriptState, parents: ReadonlyMap<string, string>): string;
}

export const CLIENT_NAMES = ['claude-code', 'codex', 'gemini-cli', 'opencode', 'copilot-cli'] as const;

export type ClientName = (typeof CLIENT_NAMES)[number];

/** What is left of `total` without its parts; a part that exceeds it is a fault, and never a negative count. */
export function withoutParts(total: number, parts: number, faults: Faults): number {
  if (parts <= total) return total - parts;
  faults.cached_exceeds_input = (faults.cached_exceeds_input ?? 0) + 1;
  return 0;
}
