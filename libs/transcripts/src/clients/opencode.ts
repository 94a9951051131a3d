import { isObject, objectAt, textAt, type JsonObject } from '../lines/json-value.js';
import { everyLine } from '../lines/line-filter.js';
import { addPrompt, addResponse, countOf, instantOf, type TranscriptState } from '../transcript-state.js';
import type { RecordTarget, TranscriptClient } from './transcript-client.js';

/**
 * opencode: one message a record, a file of its own or a row of its database. Its figures are exclusive already, with
 * reasoning apart from the output. A fork copies messages under new ids and keeps their times (xiufengsun/TokenTracker#426),
 * so that a message is known by times, model and figures across sessions and by its id within one.
 */
export const opencode: TranscriptClient = {
  name: 'opencode',
  kept: {
    names: new Set([
      'id',
      'sessionID',
      'session_id',
      'parentID',
      'role',
      'modelID',
      'model',
      'data',
      'time',
      'created',
      'completed',
    ]),
    whole: new Set(['tokens']),
  },
  isShared: true,
  createFilter: everyLine,
  take(row, target) {
    const message = { ...row, ...dataOf(row['data']) };
    const sessionId = textAt(message, 'sessionID') ?? textAt(message, 'session_id');
    if (sessionId === null) return takeSession(message, target);
    const transcript = target.transcriptOf(sessionId);
    transcript.records += 1;
    transcript.completeBytes += target.bytes;
    takeMessage(message, transcript, textAt(message, 'id') ?? `line ${target.offset}`);
  },
  classesOf([input = 0, output = 0, reasoning = 0, written = 0, read = 0]) {
    return {
      input_tokens: input,
      output_tokens: output + reasoning,
      cache_write_5m_tokens: written,
      cache_write_1h_tokens: 0,
      cache_read_tokens: read,
    };
  },
};

/** A session's own record names the session that started it. */
function takeSession(session: JsonObject, target: RecordTarget): void {
  const [id, parentId] = [textAt(session, 'id'), textAt(session, 'parentID')];
  if (id !== null && parentId !== null && session['role'] === undefined) target.transcriptOf(id).parentId = parentId;
}

/** A row of the database has the message as JSON in its column `data`. */
function dataOf(data: unknown): JsonObject {
  if (isObject(data)) return data;
  if (typeof data !== 'string') return {};
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function takeMessage(message: JsonObject, transcript: TranscriptState, key: string): void {
  const { faults } = transcript;
  const time = objectAt(message, 'time') ?? {};
  const at = instantOf(time['created'], faults);
  if (message['role'] === 'user') {
    addPrompt(transcript, { key, at, identity: at === null ? null : `prompt ${at}` });
    return;
  }
  const tokens = objectAt(message, 'tokens');
  if (message['role'] !== 'assistant' || !tokens) return;
  const cache = objectAt(tokens, 'cache') ?? {};
  const model = textAt(message, 'modelID') ?? textAt(message, 'model');
  const figures = [tokens['input'], tokens['output'], tokens['reasoning'], cache['write'], cache['read']].map((value) =>
    countOf(value, faults),
  );
  const completed = instantOf(time['completed'], faults);
  const identity = at === null ? `${transcript.id} ${key}` : [at, completed, model, ...figures].join(' ');
  addResponse(transcript, { key, at, model, figures, identity });
}
