import { isObject, objectAt, textAt, type JsonObject } from '../lines/json-value.js';
import { everyLine } from '../lines/line-filter.js';
import { addPrompt, addResponse, countOf, instantOf } from '../transcript-state.js';
import { withoutParts, type RecordTarget, type TranscriptClient } from './transcript-client.js';

/** Ids as short as these are counters of one chat, not names. */
const SHORTEST_GLOBAL_ID = 16;

/**
 * Gemini CLI: records line by line, or in older versions one document with its messages. An answer is a `gemini` message,
 * known by its id and written again while it grows. Checkpoints (`$set.messages`) repeat messages; what a rewind takes
 * out of the chat was billed all the same and stays.
 */
export const geminiCli: TranscriptClient = {
  name: 'gemini-cli',
  kept: {
    names: new Set(['sessionId', 'startTime', 'messages', '$set', 'id', 'timestamp', 'type', 'model']),
    whole: new Set(['tokens']),
  },
  createFilter: everyLine,
  take(record, target) {
    const { transcript } = target;
    const sessionId = textAt(record, 'sessionId');
    if (sessionId !== null) transcript.startedAt ??= instantOf(record['startTime'], transcript.faults);
    // A sub-agent's file may carry its parent's session: its path names it.
    if (sessionId !== null && transcript.parentId === null && transcript.responses.size === 0)
      transcript.id = sessionId;
    for (const message of [...messagesOf(record), ...messagesOf(objectAt(record, '$set') ?? {})])
      takeMessage(message, target);
    takeMessage(record, target);
  },
  classesOf([input = 0, cached = 0, output = 0, thoughts = 0, tool = 0], faults) {
    return {
      input_tokens: withoutParts(input, cached, faults) + tool,
      output_tokens: output + thoughts,
      cache_write_5m_tokens: 0,
      cache_write_1h_tokens: 0,
      cache_read_tokens: cached,
    };
  },
};

function messagesOf(record: JsonObject): JsonObject[] {
  const messages: unknown = record['messages'];
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

function takeMessage(message: JsonObject, { transcript, offset }: RecordTarget): void {
  const id = textAt(message, 'id');
  const key = id ?? `line ${offset}`;
  const identity = id !== null && id.length >= SHORTEST_GLOBAL_ID ? id : `${transcript.id} ${key}`;
  const tokens = objectAt(message, 'tokens');
  if (message['type'] === 'user') {
    addPrompt(transcript, { key, at: instantOf(message['timestamp'], transcript.faults), identity });
  } else if (message['type'] === 'gemini' && tokens) {
    const { faults } = transcript;
    const at = instantOf(message['timestamp'], faults);
    const figures = ['input', 'cached', 'output', 'thoughts', 'tool'].map((name) => countOf(tokens[name], faults));
    addResponse(transcript, { key, at, model: textAt(message, 'model'), figures, identity });
  }
}
