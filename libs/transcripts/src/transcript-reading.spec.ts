import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { usageTranscript } from '@perdure/contracts';
import * as fc from 'fast-check';
import type { ClientName } from './index.js';
import { TranscriptReading } from './index.js';
import { linesOf, readBytes, readRecords, reportsOf, tokensOf } from './testing/read-bytes.js';

const FOLDER = path.join(__dirname, '../../../cases/usage');
const small = readdirSync(FOLDER).filter(
  (name) => name.endsWith('.jsonl') && statSync(path.join(FOLDER, name)).size < 30_000,
);
const clientOfCase = (name: string): ClientName =>
  JSON.parse(readFileSync(path.join(FOLDER, name.replace(/jsonl$/, 'expected.json')), 'utf8')).client;

const CHUNK = Buffer.alloc(1 << 20, 'x');

/** An answer of Claude Code with so much in it. */
const answer = (id: string, output: number, content: unknown = []) => ({
  type: 'assistant',
  uuid: `line-${id}-${output}`,
  timestamp: '2026-11-10T10:00:00.000Z',
  message: {
    id,
    model: 'claude-opus-4-8',
    role: 'assistant',
    content,
    stop_reason: null,
    usage: { output_tokens: output },
  },
});

describe('TranscriptReading', () => {
  it.each(small)('U2, U5: every prefix of %s and then its rest is the whole; totals never fall', (name) => {
    const client = clientOfCase(name);
    const bytes = readFileSync(path.join(FOLDER, name));
    const whole = JSON.stringify(readBytes(client, [{ id: 'one', bytes }]));
    let [tokens, complete] = [0, 0];
    for (let length = 0; length <= bytes.length; length += 1) {
      const reading = TranscriptReading.of(client, { id: 'one' });
      reading.write(bytes.subarray(0, length));
      const saved = JSON.parse(JSON.stringify(reading.save()));
      const prefix = reportsOf(client, reading.end());
      const resumed = TranscriptReading.resume(saved);
      resumed.write(bytes.subarray(saved.resume_at));
      const now = tokensOf(prefix);
      const completeNow = prefix.reduce((sum, { report }) => sum + (report.version?.complete_bytes ?? 0), 0);
      const claims = {
        length,
        resumes: JSON.stringify(reportsOf(client, resumed.end())) === whole,
        grows: now >= tokens && completeNow >= complete,
        isWithin: completeNow <= length,
      };
      // One expectation where it matters: there are 70,000 prefixes.
      if (!claims.resumes || !claims.grows || !claims.isWithin) {
        expect(claims).toEqual({ length, resumes: true, grows: true, isWithin: true });
      }
      [tokens, complete] = [now, completeNow];
    }
    expect(complete).toBe(bytes.length);
  });

  it.each(small)('U5: %s reads alike in pieces of any size', (name) => {
    const client = clientOfCase(name);
    const bytes = readFileSync(path.join(FOLDER, name));
    const whole = readBytes(client, [{ id: 'one', bytes }]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        const reading = TranscriptReading.of(client, { id: 'one' });
        for (let [at, turn] = [0, 0]; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          reading.write(bytes.subarray(at, at + size));
          at += size;
        }
        expect(reportsOf(client, reading.end())).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  it.each(small)('U1: %s gives reports that the contract takes', (name) => {
    const client = clientOfCase(name);
    for (const { report } of readBytes(client, [{ id: 'one', bytes: readFileSync(path.join(FOLDER, name)) }])) {
      expect(usageTranscript.parse(report)).toEqual(report);
    }
  });

  it('U2: a torn last line is not read, says so, and is not among the complete bytes', () => {
    const lines = linesOf([answer('a', 5), answer('b', 6)]);
    const torn = lines + JSON.stringify(answer('c', 7)).slice(0, 40);
    const [read] = readBytes('claude-code', [{ id: 'one', bytes: torn }]);
    expect(read?.report).toMatchObject({
      version: { complete_bytes: lines.length, records: 2 },
      warnings: ['tail_incomplete 1'],
      models: [{ output_tokens: 11, turns: 2 }],
    });
  });

  it('U2: a last line without its line feed counts when it is whole', () => {
    const bytes = linesOf([answer('a', 5), answer('b', 6)]).trimEnd();
    const [read] = readBytes('claude-code', [{ id: 'one', bytes }]);
    expect(read?.report).toMatchObject({ version: { complete_bytes: bytes.length, records: 2 }, warnings: [] });
  });

  it.each([
    ['many blocks', `${'x'.repeat(9_000)}"},{"type":"text","text":"`],
    ['an answer full of escapes', '\\"\\\\\\u00e9'],
  ])('U5: a line of 100 MB with %s counts, and is not held', (_what, filling) => {
    const [head = '', tail = ''] = JSON.stringify(answer('big', 9, [{ type: 'text', text: '<here>' }])).split('<here>');
    const piece = Buffer.from(filling.repeat(Math.floor(CHUNK.length / filling.length)));
    const reading = TranscriptReading.of('claude-code', { id: 'one' });
    reading.write(Buffer.from(linesOf([answer('a', 1)]) + head));
    const before = process.memoryUsage().arrayBuffers;
    for (let written = 0; written < 100; written += 1) reading.write(written % 2 === 0 ? CHUNK : piece);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 << 20);
    reading.write(Buffer.from(`${tail}\n${linesOf([answer('b', 2)])}`));
    const [read] = reportsOf('claude-code', reading.end());
    expect(read?.report).toMatchObject({ warnings: [], models: [{ output_tokens: 12, turns: 3 }] });
  });

  it('U5: a long line that is no record is counted and stops nothing', () => {
    const reading = TranscriptReading.of('claude-code', { id: 'one' });
    const pieces = [
      Buffer.from(linesOf([answer('a', 1)])),
      CHUNK,
      CHUNK,
      Buffer.from(`\n${linesOf([answer('b', 2)])}`),
    ];
    for (const piece of pieces) reading.write(piece);
    const [read] = reportsOf('claude-code', reading.end());
    expect(read?.report).toMatchObject({ warnings: ['long_lines_left_out 1'], models: [{ output_tokens: 3 }] });
    expect(read?.report.version).toEqual({ generation: 1, complete_bytes: Buffer.concat(pieces).length, records: 3 });
  });

  it('U5: two lines torn into one are one bad line', () => {
    const long = [{ type: 'text', text: 'x'.repeat(3_000) }];
    const joined = JSON.stringify(answer('a', 5, long)).slice(0, 2_000) + JSON.stringify(answer('b', 6, long));
    const bytes = `${joined}\n${linesOf([answer('c', 7, long)])}`;
    const [read] = readBytes('claude-code', [{ id: 'one', bytes }]);
    expect(read?.report).toMatchObject({ warnings: ['bad_lines 1'], models: [{ output_tokens: 7, turns: 1 }] });
  });

  it('U5: what a tool was given cannot pass for an answer, however long the line', () => {
    const fake = { role: 'assistant', content: [], stop_reason: 'x', usage: { output_tokens: 999 }, id: 'fake' };
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(1, 2_000), fc.string(), (value, length, text) => {
        const content = [
          { type: 'tool_use', input: { message: fake, value, text, content: [[1]], stop_reason: 'y', type: 'user' } },
          { type: 'text', text: 'x'.repeat(length) },
        ];
        const { report } = readRecords('claude-code', [answer('a', 5, content)]);
        expect(report.models).toMatchObject([{ output_tokens: 5, turns: 1 }]);
      }),
    );
  });

  it('U2: a state of other counting rules is refused', () => {
    const saved = TranscriptReading.of('codex', { id: 'one' }).save();
    expect(() => TranscriptReading.resume({ ...saved, generation: 0 })).toThrow(RangeError);
  });
});
