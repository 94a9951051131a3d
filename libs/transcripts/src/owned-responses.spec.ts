import * as fc from 'fast-check';
import { linesOf, readBytes, tokensOf } from './testing/read-bytes.js';

interface Line {
  readonly response: number;
  readonly second: number;
  readonly output: number;
}

const recordOf = ({ response, second, output }: Line) => ({
  type: 'assistant',
  uuid: `u${response}`,
  timestamp: new Date(Date.UTC(2026, 10, 10, 10, 0, second)).toISOString(),
  message: { id: `msg_${response}`, model: `m${response % 3}`, usage: { output_tokens: output } },
});

const line = fc.record({
  response: fc.integer({ min: 0, max: 12 }),
  second: fc.integer({ min: 0, max: 4 }),
  output: fc.integer({ min: 0, max: 50 }),
});

describe('U6: transcripts read together', () => {
  it('give the same reports in any order, and no response to two of them', () => {
    const sets = fc
      .array(fc.array(line, { maxLength: 15 }), { minLength: 1, maxLength: 6 })
      .chain((files) =>
        fc.tuple(
          fc.constant(files),
          fc.shuffledSubarray([...files.keys()], { minLength: files.length, maxLength: files.length }),
        ),
      );
    fc.assert(
      fc.property(sets, ([files, order]) => {
        const named = files.map((lines, index) => ({ id: `t${index}`, bytes: linesOf(lines.map(recordOf)) }));
        const read = readBytes('claude-code', named);
        const shuffled = order.flatMap((index) => named.slice(index, index + 1));
        expect(readBytes('claude-code', shuffled)).toEqual(read);
        const hashes = read.flatMap(({ report }) => (report.responses ?? []).map(({ hash }) => hash));
        expect(new Set(hashes).size).toBe(hashes.length);
        expect(hashes.length).toBe(new Set(files.flat().map(({ response }) => response)).size);
      }),
    );
  });

  it('list responses that add up to the models of their report', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const read = readBytes('claude-code', [{ id: 'a', bytes: linesOf(lines.map(recordOf)) }]);
        const responses = read.flatMap(({ report }) => report.responses ?? []);
        const output = responses.reduce((sum, { output_tokens: tokens }) => sum + tokens, 0);
        expect(tokensOf(read)).toBe(output + responses.length);
        const ofDays = read.flatMap(({ days }) => days).reduce((sum, { usage }) => sum + usage.output_tokens, 0);
        expect(ofDays).toBe(output);
      }),
    );
  });
});
