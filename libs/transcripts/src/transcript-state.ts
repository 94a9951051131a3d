import type { CodexMemory } from './clients/codex-memory.js';
import { countFault, type Faults } from './faults.js';

/** A billed response as far as it was read. Several lines of one response are one of these. */
export interface CountedResponse {
  /** Instant of its first line, milliseconds since 1970; null when no line had one. */
  at: number | null;
  model: string | null;
  /** The client's own figures, of each the largest seen: a copy or a partial line never lowers them. */
  readonly figures: number[];
  readonly turns: number;
  /** What copies of the response in other transcripts share with it, when that is not the key it is kept under. */
  identity?: string;
}

/** Something a human typed. */
export interface CountedPrompt {
  /** What copies share; null when the client writes nothing of the kind. */
  readonly identity: string | null;
  /** How many responses stood before it. */
  readonly position: number;
}

/** Everything known of one transcript after some of its bytes. It is data: it can be written as JSON and read back. */
export interface TranscriptState {
  id: string;
  parentId: string | null;
  /** When the transcript began by its own account: decides who owns a response. */
  startedAt: number | null;
  firstAt: number | null;
  lastAt: number | null;
  completeBytes: number;
  records: number;
  readonly responses: Map<string, CountedResponse>;
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
  responses: new Map(),
  prompts: new Map(),
  faults: {},
});

export interface ResponseLine {
  readonly key: string;
  readonly at: number | null;
  readonly model: string | null;
  readonly figures: readonly number[];
  readonly turns?: number;
  readonly identity?: string;
}

/** Takes a line of a response: a new one, or more of one that is known. */
export function addResponse(transcript: TranscriptState, line: ResponseLine): void {
  widen(transcript, line.at);
  const known = transcript.responses.get(line.key);
  if (known === undefined) {
    const { key, figures, turns = 1, at, model, identity } = line;
    const response = { at, model, figures: [...figures], turns };
    transcript.responses.set(key, identity === undefined ? response : { ...response, identity });
    return;
  }
  for (const [index, figure] of line.figures.entries()) {
    known.figures[index] = Math.max(known.figures[index] ?? 0, figure);
  }
  known.at = earliest(known.at, line.at);
  known.model ??= line.model;
  if (line.identity !== undefined) known.identity = line.identity;
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
