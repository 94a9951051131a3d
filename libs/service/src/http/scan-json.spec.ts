import { scanJson } from './scan-json.js';

const scan = (text: string) => scanJson(Buffer.from(text), 64);

describe('a key that an object has twice', () => {
  it.each([
    ['{"a":1,"a":2}', ['a']],
    ['{"a":1,"b":{"c":[0,{"d":1,"e":2,"d":3}]}}', ['b', 'c', '1', 'd']],
    [String.raw`{"title":1,"titl\u0065":2}`, ['title']],
    [String.raw`{"a\"b":1,"a\u0022b":2}`, ['a"b']],
    [String.raw`{"\\":1,"\\":2}`, ['\\']],
    ['{"":1,"":2}', ['']],
    ['{"é":1,"é":2}', ['é']],
    ['[{"a":1},{"b":1,"b":1}]', ['1', 'b']],
    ['{ "a" : "x" , "a" : "y" }', ['a']],
    ['{"a":{"x":1},"a":{"y":1}}', ['a']],
  ])('G6: %s', (text, place) => {
    expect(scan(text).badKey).toEqual({ problem: 'twice', place });
  });

  it.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}'],
    ['{"a":"a","b":"a"}'],
    ['{"a":"\\",\\"a\\":1","b":"{\\"a\\":1,\\"a\\":2}"}'],
    ['["a","a"]'],
    ['{"é":1,"e\u0301":2}'],
    ['{"a":1,"A":2}'],
    ['{"constructor":1,"toString":2}'],
    ['"a"'],
    ['{}'],
  ])('G6: none in %s', (text) => {
    expect(scan(text).badKey).toBeNull();
  });

  it('G6: __proto__ is one that is lost where the object is copied, however it is written', () => {
    for (const key of ['__proto__', String.raw`__pr\u006fto__`]) {
      expect(scan(`{"a":[{"${key}":1}]}`).badKey).toEqual({ problem: 'reserved', place: ['a', '0', '__proto__'] });
    }
  });

  it('G6: is found in any JSON that says a key twice, and in no other', () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const keys = ['a', 'b', 'c', 'd"', 'e\\', 'é', 'long key', ''];
    // Objects as lists of pairs, so that they can say a key twice.
    const write = (depth: number): { text: string; twice: boolean } => {
      const kind = depth > 3 ? 2 : random(3);
      if (kind === 2) return { text: ['1', 'null', '"{\\"a\\":1,"', '"\\\\"'][random(4)] ?? '', twice: false };
      const parts = Array.from({ length: random(4) }, () => ({
        key: keys[random(keys.length)] ?? '',
        value: write(depth + 1),
      }));
      const twice = parts.some(({ value }) => value.twice);
      if (kind === 0) return { text: `[${parts.map(({ value }) => value.text).join(' , ')}]`, twice };
      const names = parts.map(({ key }) => key);
      const text = `{${parts.map(({ key, value }) => `${JSON.stringify(key)} : ${value.text}`).join(',')}}`;
      return { text, twice: twice || new Set(names).size < names.length };
    };
    let found = 0;
    for (let round = 0; round < 3_000; round += 1) {
      const { text, twice } = write(0);
      expect(() => JSON.parse(text)).not.toThrow();
      expect([text, scan(text).badKey !== null]).toEqual([text, twice]);
      found += Number(twice);
    }
    expect(found).toBeGreaterThan(300);
  });
});

describe('what is no JSON', () => {
  it.each(['{"a":1,"a', '{"a"', '{"a":"\\', '}}]]', '{"a\\u00":1,"a\\u00":1}', ',,:', '"'])(
    'G6: %j is scanned without a fault',
    (text) => {
      expect(() => scan(text)).not.toThrow();
    },
  );
});

describe('depth', () => {
  it.each([
    ['1', 0],
    ['{"a":[1,{"b":"[[[["}]}', 3],
    ['[[],[],[[]]]', 3],
  ])('G6: of %s', (text, depth) => {
    expect(scan(text).depth).toBe(depth);
  });

  it('G6: the scan ends where it is too deep', () => {
    expect(scanJson(Buffer.from('['.repeat(1_000_000)), 64).depth).toBe(65);
  });
});

test('G6: 100,000 keys and strings of backslashes take one pass', () => {
  const bytes = Buffer.from(
    `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":"${'\\\\'.repeat(3)}"`).join(',')}}`,
  );
  expect(scanJson(bytes, 64)).toEqual({ depth: 1, badKey: null });
  const long = Buffer.from(`{"a":"${'\\\\'.repeat(250_000)}","a":1}`);
  expect(scanJson(long, 64).badKey?.place).toEqual(['a']);
});
