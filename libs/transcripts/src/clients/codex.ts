import type { Faults } from '../faults.js';
import { objectAt, textAt, type JsonObject } from '../lines/json-value.js';
import { linesWith } from '../lines/line-filter.js';
import { addPrompt, addResponse, countOf, instantOf, type TranscriptState } from '../transcript-state.js';
import { emptyCodexMemory, type CodexMemory } from './codex-memory.js';
import { withoutParts, type TranscriptClient } from './transcript-client.js';

const RECORD_TYPES = ['session_meta', 'turn_context', 'token_count', 'token_usage_record', 'compacted', 'user_message'];

/**
 * Codex: a rollout, one JSON record a line. Newer clients write a record for each response with its id; older ones only
 * running totals, where a response is a token_count that raises the highest total so far (junhoyeo/tokscale#309). Both
 * may stand in one file, in either order. Responses without an id are known by their totals within a family of forks.
 */
export const codex: TranscriptClient = {
  name: 'codex',
  kept: {
    names: new Set([
      ...['timestamp', 'type', 'payload', 'id', 'model', 'forked_from_id', 'parent_thread_id', 'source', 'subagent'],
      ...['thread_spawn', 'response_id', 'compaction_response_id'],
    ]),
    whole: new Set(['info', 'usage']),
  },
  createFilter: () => linesWith(RECORD_TYPES),
  take(record, target) {
    const payload = objectAt(record, 'payload');
    if (payload === null) return;
    const { transcript } = target;
    const memory = (transcript.codex ??= emptyCodexMemory());
    const at = instantOf(record['timestamp'], transcript.faults);
    const line: CodexLine = { transcript, memory, payload, at, offset: target.offset };
    const type = record['type'] === 'event_msg' ? payload['type'] : record['type'];
    READERS.get(type)?.(line);
  },
  classesOf([input = 0, cached = 0, written = 0, output = 0], faults) {
    return {
      input_tokens: withoutParts(input, cached + written, faults),
      output_tokens: output,
      cache_write_5m_tokens: written,
      cache_write_1h_tokens: 0,
      cache_read_tokens: cached,
    };
  },
  familyOf({ id, codex: memory }, parents) {
    const seen = new Set<string>();
    let eldest = id;
    for (let next: string | undefined = id; next !== undefined && !seen.has(next);) {
      seen.add(next);
      eldest = next;
      next = (memory && parentIn(memory, eldest)) ?? parents.get(eldest);
    }
    return eldest;
  },
};

const parentIn = ({ forkedFrom }: CodexMemory, id: string): string | undefined =>
  forkedFrom.find(([child]) => child === id)?.[1];

interface CodexLine {
  readonly transcript: TranscriptState;
  readonly memory: CodexMemory;
  readonly payload: JsonObject;
  readonly at: number | null;
  readonly offset: number;
}

const READERS = new Map<unknown, (line: CodexLine) => void>([
  ['session_meta', takeMeta],
  ['turn_context', takeModel],
  ['user_message', takePrompt],
  ['token_count', takeTokenCount],
  ['token_usage_record', takeUsageRecord],
  ['compacted', takeCompaction],
]);

function takeModel({ memory, payload }: CodexLine): void {
  memory.model = textAt(payload, 'model') ?? memory.model;
}

/** The first is the file's own; a fork copies those of its ancestors behind it (vibe-cafe/vibe-usage#34). */
function takeMeta({ transcript, memory, payload, at }: CodexLine): void {
  const id = textAt(payload, 'id');
  if (id === null) return;
  const spawn = objectAt(objectAt(objectAt(payload, 'source') ?? {}, 'subagent') ?? {}, 'thread_spawn');
  const spawnedBy = spawn && textAt(spawn, 'parent_thread_id');
  const forkedFrom = textAt(payload, 'forked_from_id') ?? spawnedBy;
  if (forkedFrom !== null && !parentIn(memory, id)) memory.forkedFrom.push([id, forkedFrom]);
  if (memory.hasMeta) return;
  memory.hasMeta = true;
  memory.isSubAgent = spawnedBy !== null;
  transcript.id = id;
  transcript.parentId = spawnedBy;
  transcript.startedAt = instantOf(payload['timestamp'], transcript.faults) ?? at;
}

/** What a parent says to its sub-agent is typed by nobody. */
function takePrompt({ transcript, memory, at, offset }: CodexLine): void {
  if (!memory.isSubAgent) addPrompt(transcript, { key: `prompt ${offset}`, at, identity: null });
}

const usageOf = (usage: JsonObject | null, faults: Faults): readonly number[] | null =>
  usage && [
    countOf(usage['input_tokens'], faults),
    countOf(usage['cached_input_tokens'], faults),
    countOf(usage['cache_write_input_tokens'], faults),
    countOf(usage['output_tokens'], faults),
  ];

/** Cached and written tokens are inside the input, reasoning inside the output. */
const sizeOf = (usage: readonly number[] | null): number => (usage === null ? 0 : (usage[0] ?? 0) + (usage[3] ?? 0));

function takeTokenCount(line: CodexLine): void {
  const { memory, payload, transcript, at } = line;
  const info = objectAt(payload, 'info');
  const total = info && usageOf(objectAt(info, 'total_token_usage'), transcript.faults);
  const last = info && usageOf(objectAt(info, 'last_token_usage'), transcript.faults);
  if (!total && !last) return;
  const pair = total ? `${total.join()}/${last?.join() ?? ''}` : `${at}/${last?.join()}`;
  if (memory.seen[pair]) return;
  memory.seen[pair] = true;
  const used = total ? usedSince(memory, total, last) : last;
  if (used === null || sizeOf(used) === 0) return;
  countUnlessRecorded(line, `count ${pair}`, used);
}

/** @returns the tokens of the response that raised the running total, or null when none did */
function usedSince(
  memory: CodexMemory,
  total: readonly number[],
  last: readonly number[] | null,
): readonly number[] | null {
  const isRewritten = memory.isCompacted && sizeOf(total) < sizeOf(memory.mark);
  // After a compaction the client writes an estimate of the new context, with nothing used.
  if (last !== null && sizeOf(last) === 0) {
    if (isRewritten) memory.mark = total;
    return null;
  }
  const startsAgain = last?.join() === total.join();
  if (sizeOf(total) <= sizeOf(memory.mark) && !startsAgain && !(isRewritten && last)) {
    if (isRewritten) memory.mark = total;
    return null; // an older total, shown once more
  }
  const mark = memory.mark ?? [];
  memory.mark = total;
  memory.isCompacted = false;
  return last ?? total.map((count, index) => Math.max(0, count - (mark[index] ?? 0)));
}

function countUnlessRecorded({ transcript, memory, at }: CodexLine, key: string, figures: readonly number[]): void {
  const recorded = memory.recordsWithoutCount[figures.join()]?.shift();
  if (recorded !== undefined) {
    addResponse(transcript, { key: recorded, at, model: memory.model, figures });
    return;
  }
  addResponse(transcript, { key, at, model: memory.model, figures });
  (memory.countsWithoutRecord[figures.join()] ??= []).push(key);
}

function takeUsageRecord({ transcript, memory, payload, at }: CodexLine): void {
  const id = textAt(payload, 'response_id');
  const figures = usageOf(objectAt(payload, 'usage'), transcript.faults);
  if (id === null || figures === null) return;
  const identity = `response ${id}`;
  const known = memory.keyOfRecord[identity];
  const counted = known === undefined ? memory.countsWithoutRecord[figures.join()]?.shift() : undefined;
  const key = known ?? counted ?? identity;
  memory.keyOfRecord[identity] = key;
  addResponse(transcript, { key, at, model: textAt(payload, 'model') ?? memory.model, figures, identity });
  if (known === undefined && counted === undefined) (memory.recordsWithoutCount[figures.join()] ??= []).push(key);
}

/** A compaction's own request is in no running total (openai/codex#47003): no token_count may be taken for it. */
function takeCompaction({ memory, payload }: CodexLine): void {
  memory.isCompacted = true;
  const id = textAt(payload, 'compaction_response_id');
  if (id === null) return;
  for (const keys of Object.values(memory.recordsWithoutCount)) {
    const index = keys.indexOf(`response ${id}`);
    if (index !== -1) keys.splice(index, 1);
  }
}
