import * as fc from 'fast-check';
import { readBytes } from '../testing/read-bytes.js';
import { answerWithoutContent } from './claude-answer.js';

/** As the client writes it: the message in the middle, its content before its usage. */
const recordOf = (id: string, content: unknown, more: object = {}) => ({
  ...{ parentUuid: null, isSidechain: false, cwd: '/srv/demo', type: 'assistant', requestId: 'r', ...more },
  message: { model: 'm', id, role: 'assistant', content, stop_reason: null, usage: { output_tokens: 5 } },
  ...{ uuid: `u-${id}`, timestamp: '2026-11-10T10:00:00.000Z' },
});

const long = [{ type: 'text', text: 'x'.repeat(1_500) }];
const lineOf = (record: object): Buffer => Buffer.from(JSON.stringify(record));

describe('answerWithoutContent', () => {
  it('U5: gives what the parser gives, but for the content', () => {
    const fake = recordOf('fake', [], { timestamp: 'x' }).message;
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const content = [
          ...long,
          { type: 'tool_use', input: { value, text, message: fake, stop_reason: [1], uuid: 2 } },
        ];
        const { type, uuid, timestamp, message } = recordOf('a', content);
        expect(answerWithoutContent(lineOf(recordOf('a', content)))).toEqual({
          ...{ type, uuid, timestamp },
          message: { ...message, content: [] },
        });
      }),
    );
  });

  it.each([
    ['it is short', lineOf(recordOf('a', []))],
    ['the record is something else', lineOf(recordOf('a', long, { type: 'progress' }))],
    ['something is nested before the message', lineOf(recordOf('a', long, { data: {}, type: 'assistant' }))],
    ['there is no usage', lineOf({ ...recordOf('a', long), message: { ...recordOf('a', long).message, usage: null } })],
    [
      'two lines were torn into one',
      Buffer.concat([lineOf(recordOf('a', long)).subarray(0, 900), lineOf(recordOf('b', long))]),
    ],
    ['the line is cut', lineOf(recordOf('a', long)).subarray(0, -3)],
    ['there are blanks', Buffer.from(JSON.stringify(recordOf('a', long), null, ' '))],
    ['the instant stands elsewhere', lineOf(Object.assign({ timestamp: 'x' }, recordOf('a', long)))],
  ])('U5: leaves a line to the parser when %s', (_why, line) => {
    expect(answerWithoutContent(line)).toBeNull();
  });

  it('U5: two long lines torn into one are one bad line, and a nested answer is none', () => {
    const echo = [...long, { type: 'tool_use', input: recordOf('echo', long) }];
    const torn = Buffer.concat([lineOf(recordOf('a', long)).subarray(0, 900), lineOf(recordOf('b', long))]);
    const bytes = Buffer.concat([torn, Buffer.from('\n'), lineOf(recordOf('c', echo)), Buffer.from('\n')]);
    const [read] = readBytes('claude-code', [{ id: 'one', bytes }]);
    expect(read?.report).toMatchObject({ warnings: ['bad_lines 1'], models: [{ turns: 1, output_tokens: 5 }] });
  });
});
