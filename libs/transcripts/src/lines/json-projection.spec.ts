import * as fc from 'fast-check';
import { JsonProjection } from './json-projection.js';

const everything = { names: new Set<string>(), whole: new Set(['all']) };

function projected(text: string, size: number, keep = everything): unknown {
  const projection = new JsonProjection(keep);
  // As lines are parsed: a character for each byte.
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) projection.push(bytes.subarray(at, at + size));
  return projection.object;
}

const asParsed = (text: string): unknown => JSON.parse(Buffer.from(text).toString('latin1'));

describe('JsonProjection', () => {
  it('reads what JSON.parse reads, in pieces of any size and with any blanks', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'binary' }),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom('', ' ', '\t'),
        (value, size, blank) => {
          const text = JSON.stringify({ all: value }, null, blank);
          expect(projected(text, size)).toEqual(asParsed(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps named members at any depth and passes over the rest', () => {
    const keep = { names: new Set(['a', 'b']), whole: new Set(['usage']) };
    const text = '{"x":{"a":1},"a":{"b":[{"c":"}]","b":"\\"{"},7],"z":[["b"]]},"usage":{"deep":{"er":[1]}},"y":"\\\\"}';
    expect(projected(text, 3, keep)).toEqual({ a: { b: [{ b: '"{' }, 7] }, usage: { deep: { er: [1] } } });
  });

  it('cuts long texts without tearing an escape', () => {
    for (const unit of ['x', '\\', '"', '\u0007', '\u2028é']) {
      for (let lead = 0; lead < 14; lead += 1) {
        const value = 'a'.repeat(lead) + unit.repeat(5_000);
        const read = projected(JSON.stringify({ all: value }), 4_096);
        const { all } = read as { all: string }; // as it was written above
        expect(Buffer.from(value).toString('latin1').startsWith(all)).toBe(true);
        expect(all.length).toBeGreaterThan(300);
      }
    }
  });

  it.each([
    '',
    '[1]',
    '{"a":1',
    '{"a":1}}',
    '{"a" 1}',
    '{a:1}',
    '{"a":1]',
    '{"a":tru}',
    '7',
    '"x"',
    '{"a":"\u0007"',
    '{,}',
    '{"a":1 "b":2}',
  ])('says that %j is no object', (text) =>
    expect(projected(text, 2, { names: new Set(['a']), whole: new Set() })).toBeNull(),
  );
});
