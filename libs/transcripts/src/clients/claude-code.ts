import { createHash } from 'node:crypto';
import { countFault, type Faults } from '../faults.js';
import { isObject, objectAt, textAt, type JsonObject } from '../lines/json-value.js';
import { QuotedWord, type LineFilter } from '../lines/line-filter.js';
import type { TokenClasses } from '../token-classes.js';
import { addPrompt, addResponse, countOf, instantOf, type TranscriptState } from '../transcript-state.js';
import { answerWithoutContent } from './claude-answer.js';
import type { RecordTarget, TranscriptClient } from './transcript-client.js';

/** A local stand-in for a failed or interrupted request (Piebald-AI/splitrail#1): nothing was billed. */
const PLACEHOLDER_MODEL = '<synthetic>';
/** An aggregate that is absent, which is not the same as one of 0: the split is then the only evidence. */
const ABSENT = -1;

/**
 * Claude Code: one JSON record a line. A response has a line for each content block, with usage that grows or repeats;
 * it is known by `message.id` alone, since requestId is missing behind some gateways and changes when a side question
 * replays a message (ccusage/ccusage#913). Lines without an id are known by their uuid.
 */
export const claudeCode: TranscriptClient = {
  name: 'claude-code',
  kept: {
    names: new Set([
      ...['type', 'uuid', 'timestamp', 'sessionId', 'promptId', 'isMeta', 'isCompactSummary', 'isSidechain'],
      ...['message', 'id', 'model', 'role', 'content'],
    ]),
    whole: new Set(['usage']),
  },
  createFilter: () => new ClaudeFilter(),
  // A file that may be a sub-agent's says so before the message.
  recordOf: (line, { id }) => (id.startsWith('agent-') ? null : answerWithoutContent(line)),
  take(record, target) {
    if (record['type'] === 'assistant') takeResponse(record, target);
    else if (record['type'] === 'user') takePrompt(record, target);
  },
  classesOf(figures, faults) {
    return {
      input_tokens: figures[0] ?? 0,
      output_tokens: figures[1] ?? 0,
      ...writesOf({ written: figures[2] ?? ABSENT, written5m: figures[3] ?? 0, written1h: figures[4] ?? 0 }, faults),
      cache_read_tokens: figures[5] ?? 0,
    };
  },
};

const OPENING_BRACE = 0x7b;
const TYPE = Buffer.from('"type":"');
const OF_USER = Buffer.from('"type":"user"');
const OF_ASSISTANT = Buffer.from('"type":"assistant"');

/** Answers, and what a user sent unless it is the result of a tool: those are most of the bytes of a transcript. */
class ClaudeFilter implements LineFilter {
  readonly #answer = new QuotedWord('assistant');
  readonly #toolResult = new QuotedWord('tool_result');
  readonly #user = new QuotedWord('user');
  #buffer: Buffer = Buffer.alloc(0);
  /** Where in its line the type stood last: nearly always it stands there again. */
  #typeAt = 0;

  begin(buffer: Buffer): void {
    this.#buffer = buffer;
    for (const word of [this.#answer, this.#toolResult, this.#user]) word.begin(buffer);
  }

  mayMatter(start: number, end: number): boolean {
    // Before a second brace opens, a name is one of the record itself.
    const brace = this.#buffer.indexOf(OPENING_BRACE, start + 1);
    const type = this.#typeIn(start, brace === -1 ? end : Math.min(brace, end));
    if (this.#stands(OF_USER, type)) return !this.#toolResult.isIn(start, end);
    if (this.#stands(OF_ASSISTANT, type) || this.#answer.isIn(start, end)) return true;
    return !this.#toolResult.isIn(start, end) && this.#user.isIn(start, end);
  }

  /** @returns where the type stands, or a place where nothing does */
  #typeIn(start: number, end: number): number {
    const last = start + this.#typeAt;
    if (last + TYPE.length <= end && this.#stands(TYPE, last)) return last;
    const found = this.#buffer.subarray(start, end).indexOf(TYPE);
    if (found === -1) return this.#buffer.length;
    this.#typeAt = found;
    return start + found;
  }

  #stands(bytes: Buffer, at: number): boolean {
    for (let index = 0; index < bytes.length; index += 1) {
      if (this.#buffer[at + index] !== bytes[index]) return false;
    }
    return true;
  }
}

function takeResponse(record: JsonObject, { transcript, offset }: RecordTarget): void {
  const message = objectAt(record, 'message');
  const usage = message && objectAt(message, 'usage');
  if (!message || !usage || message['model'] === PLACEHOLDER_MODEL) return;
  adoptParent(record, transcript);
  const { faults } = transcript;
  const at = instantOf(record['timestamp'], faults);
  const id = textAt(message, 'id') ?? textAt(record, 'uuid');
  const key = id ?? `line ${offset}`;
  const own = id === null ? { identity: `${transcript.id} ${key}` } : {};
  addResponse(transcript, { key, at, model: textAt(message, 'model'), figures: figuresOf(usage, faults), ...own });
  for (const [index, advisor] of advisorsOf(usage).entries()) {
    const identity = id === null ? { identity: `${transcript.id} ${key} advisor ${index}` } : {};
    const figures = figuresOf(advisor, faults);
    addResponse(transcript, {
      key: `${key} advisor ${index}`,
      at,
      model: textAt(advisor, 'model'),
      figures,
      ...identity,
    });
  }
}

/** Another model's answer within a response, which the totals leave out; the other iterations are inside them. */
function advisorsOf(usage: JsonObject): JsonObject[] {
  const iterations: unknown = usage['iterations'];
  if (!Array.isArray(iterations)) return [];
  return iterations.filter(isObject).filter(({ type }) => type === 'advisor_message');
}

function figuresOf(usage: JsonObject, faults: Faults): number[] {
  const total = usage['cache_creation_input_tokens'];
  const split = objectAt(usage, 'cache_creation') ?? {};
  return [
    countOf(usage['input_tokens'], faults),
    countOf(usage['output_tokens'], faults),
    total === undefined || total === null ? ABSENT : countOf(total, faults),
    countOf(split['ephemeral_5m_input_tokens'], faults),
    countOf(split['ephemeral_1h_input_tokens'], faults),
    countOf(usage['cache_read_input_tokens'], faults),
  ];
}

interface Writes {
  readonly written: number;
  readonly written5m: number;
  readonly written1h: number;
}

/** The aggregate decides how much was written, the split only for how long; what the split does not name is short. */
function writesOf(
  { written, written5m, written1h }: Writes,
  faults: Faults,
): Pick<TokenClasses, 'cache_write_5m_tokens' | 'cache_write_1h_tokens'> {
  if (written === ABSENT) return { cache_write_5m_tokens: written5m, cache_write_1h_tokens: written1h };
  if (written5m + written1h > written) countFault(faults, 'cache_split_exceeds_total');
  const long = Math.min(written1h, written);
  return { cache_write_5m_tokens: written - long, cache_write_1h_tokens: long };
}

/** What a human typed: no result of a tool, nothing the client added, nothing said to a sub-agent. */
function takePrompt(record: JsonObject, { transcript, offset }: RecordTarget): void {
  const message = objectAt(record, 'message');
  adoptParent(record, transcript);
  if (!message || record['isMeta'] === true || record['isCompactSummary'] === true) return;
  const content = message['content'];
  if (Array.isArray(content) && content.some((block) => isObject(block) && block['type'] === 'tool_result')) return;
  const at = instantOf(record['timestamp'], transcript.faults);
  if (record['isSidechain'] === true) return;
  const key = textAt(record, 'promptId') ?? (at === null ? null : `${at} ${digestOf(content)}`);
  addPrompt(transcript, { key: key ?? `line ${offset}`, at, identity: key });
}

const digestOf = (content: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(content) ?? '')
    .digest('base64url');

/**
 * A sub-agent's file names its parent by `sessionId`. Of one in a folder of its own the path has said so already; older
 * clients put it beside the session, where its name alone would not be unique.
 */
function adoptParent(record: JsonObject, transcript: TranscriptState): void {
  if (transcript.parentId !== null || record['isSidechain'] !== true) return;
  const parentId = textAt(record, 'sessionId');
  if (parentId === null || !/^agent-[^/]+$/.test(transcript.id)) return;
  transcript.parentId = parentId;
  transcript.id = `${parentId}/${transcript.id}`;
}
