import fc from 'fast-check';
import { ndjsonLines } from './ndjson-lines.js';

async function* inPieces(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  for (const [index, from] of places.slice(0, -1).entries()) yield bytes.subarray(from, places[index + 1]);
}

async function linesOf(text: string | Buffer, cuts: readonly number[] = []): Promise<[number, string][]> {
  const found: [number, string][] = [];
  for await (const { line, bytes } of ndjsonLines(inPieces(Buffer.from(text), cuts))) found.push([line, String(bytes)]);
  return found;
}

test.each([
  ['', []],
  ['\n', []],
  ['a', [[1, 'a']]],
  ['a\n', [[1, 'a']]],
  ['a\r\nb\r\n', [[1, 'a'], [2, 'b']]], // prettier-ignore
  ['a\n\n \t\r\nb', [[1, 'a'], [4, 'b']]], // prettier-ignore
  ['\uFEFFa\n\uFEFFb', [[1, 'a'], [2, '\uFEFFb']]], // prettier-ignore
  ['a\u2028b\n', [[1, 'a\u2028b']]],
])('U3: %j is read as %j', async (text, lines) => {
  expect(await linesOf(text)).toEqual(lines);
});

test('U3: where a body is cut on its way changes nothing', async () => {
  const text = fc.array(fc.constantFrom('{"é":1}', '', '\r', 'x\r', '\uFEFFz', '\u{1F600}'), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(), { maxLength: 20 }), async (parts, cuts) => {
      expect(await linesOf(parts.join('\n'), cuts)).toEqual(await linesOf(parts.join('\n')));
    }),
  );
});

test('U3: more than 10,000 reports or 16 MiB are refused, and no byte after that is read', async () => {
  await expect(linesOf('x\n'.repeat(10_001))).rejects.toMatchObject({ code: 'too_large' });
  expect(await linesOf('x\n'.repeat(10_000))).toHaveLength(10_000);
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      given += 1;
      yield Buffer.alloc(1024 * 1024);
    }
  }
  await expect(ndjsonLines(endless()).next()).rejects.toMatchObject({ code: 'too_large' });
  expect(given).toBe(17);
});
