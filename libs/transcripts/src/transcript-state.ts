import type { CodexMemory } from './clients/codex-memory.js';
import { countFault, type Faults } from './faults.js';
import { ResponseTable, type ResponseLine } from './response-table.js';

/** Something a human typed. */
export interface CountedPrompt {
  /** What copies share; null when the client writes nothing of the kind. */
  readonly identity: string | null;
  /** How many responses stood before it. */
  readonly position: number;
}

/** Everything known of one transcript after some of its bytes. */
export interface TranscriptState {
  id: string;
  parentId: string | null;
  /** When the transcript began by its own account: decides who owns a response. */
  startedAt: number | null;
  firstAt: number | null;
  lastAt: number | null;
  completeBytes: number;
  records: number;
  readonly responses: ResponseTable;
  readonly prompts: Map<string, CountedPrompt>;
  readonly faults: Faults;
  codex?: CodexMemory;
}

export const emptyTranscript = (id: string, parentId: string | null = null): TranscriptState => ({
  id,
  parentId,
  startedAt: null,
  firstAt: null,
  lastAt: null,
  completeBytes: 0,
  records: 0,
  responses: new ResponseTable(),
  prompts: new Map(),
  faults: {},
});

/** Takes a line of a response: a new one, or more of one that is known. */
export function addResponse(transcript: TranscriptState, line: ResponseLine): void {
  widen(transcript, line.at);
  transcript.responses.add(line);
}

export function addPrompt(
  transcript: TranscriptState,
  prompt: { readonly key: string; readonly at: number | null; readonly identity: string | null },
): void {
  widen(transcript, prompt.at);
  if (transcript.prompts.has(prompt.key)) return;
  transcript.prompts.set(prompt.key, { identity: prompt.identity, position: transcript.responses.size });
}

function widen(transcript: TranscriptState, at: number | null): void {
  if (at === null) return;
  transcript.firstAt = earliest(transcript.firstAt, at);
  transcript.lastAt = Math.max(transcript.lastAt ?? at, at);
}

export const earliest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** A token count as a client wrote it: what is absent or null is 0; what is no count is 0 and a fault (U7). */
export function countOf(value: unknown, faults: Faults): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  countFault(faults, 'bad_numbers');
  return 0;
}

const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)$/;

/** An instant as RFC 3339 with its offset, or as milliseconds. Text is parsed, never cut to a day. */
export function instantOf(value: unknown, faults: Faults): number | null {
  if (value === undefined || value === null) return null;
  const at = typeof value === 'string' && RFC_3339.test(value) ? Date.parse(value) : value;
  if (typeof at === 'number' && at >= 0 && at <= LAST_INSTANT) return Math.floor(at);
  countFault(faults, 'bad_times');
  return null;
}
