import { isObject, objectAt, type JsonObject } from '../lines/json-value.js';

/** Of a second record: a long word is found missing sooner. */
const ANSWER = Buffer.from('"type":"assistant"');
const CONTENT = Buffer.from('"content":[');
const AFTER_CONTENT = Buffer.from('],"stop_reason":');
/** Shorter lines are parsed as fast whole. */
const WORTH_CUTTING = 1_024;

/**
 * The record of an answer's line without what the model said, which is most of the line and counts for nothing.
 *
 * The names are looked for with their quotes, so they are structure and not text. What is cut out begins and ends at one
 * depth, or the brackets that are left do not match and nothing is returned; a second answer in the line, as when a torn
 * line and the next one stand in one, is left to the parser as well.
 *
 * @returns null when the line has to be parsed whole
 */
export function answerWithoutContent(line: Buffer): JsonObject | null {
  if (line.length < WORTH_CUTTING) return null;
  const content = line.indexOf(CONTENT);
  const after = line.lastIndexOf(AFTER_CONTENT);
  if (content === -1 || after <= content || line.indexOf(ANSWER, content) !== -1) return null;
  const record = parsed(line.toString('latin1', 0, content + CONTENT.length) + line.toString('latin1', after));
  return record?.['type'] === 'assistant' && hasUsage(record) ? record : null;
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
