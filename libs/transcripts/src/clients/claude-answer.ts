import { isObject, objectAt, type JsonObject } from '../lines/json-value.js';

const OPENING_BRACE = 0x7b;
const ANSWER = Buffer.from('"type":"assistant"');
const MESSAGE = Buffer.from('"message":{');
const CONTENT = Buffer.from('"content":[');
const AFTER_CONTENT = Buffer.from('],"stop_reason":');
/** What a record is not read without stands behind its message; before it there is only what is not used. */
const BEHIND_MESSAGE = ['},"uuid":', ',"timestamp":'];
/** Shorter lines are parsed as fast whole. */
const WORTH_CUTTING = 1_024;

/**
 * The record of an answer's line without what the model said, which is most of the line and counts for nothing, and
 * without what stands before the message.
 *
 * The names are looked for with their quotes, so they are structure and not text; the first brace that opens is the
 * message's, so the type before it is the record's. What is cut out of the message begins and ends at one depth, or the
 * brackets that are left do not match and nothing is returned. A second answer in the line, as when a torn line and the
 * next one stand in one, is left to the parser as well.
 *
 * @returns null when the line has to be parsed whole
 */
export function answerWithoutContent(line: Buffer): JsonObject | null {
  if (line.length < WORTH_CUTTING) return null;
  const brace = line.indexOf(OPENING_BRACE, 1);
  const message = brace + 1 - MESSAGE.length;
  if (message < 1 || line.compare(MESSAGE, 0, MESSAGE.length, message, brace + 1) !== 0) return null;
  if (!line.subarray(0, message).includes(ANSWER)) return null;
  const content = line.indexOf(CONTENT, brace);
  const after = line.lastIndexOf(AFTER_CONTENT);
  if (content === -1 || after <= content || line.indexOf(ANSWER, content) !== -1) return null;
  const tail = line.toString('latin1', after);
  if (!BEHIND_MESSAGE.every((name) => tail.includes(name))) return null;
  const record = parsed(`{"type":"assistant",${line.toString('latin1', message, content + CONTENT.length)}${tail}`);
  return record !== null && hasUsage(record) ? record : null;
}

const hasUsage = (record: JsonObject): boolean => {
  const message = objectAt(record, 'message');
  return message !== null && objectAt(message, 'usage') !== null;
};

function parsed(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
