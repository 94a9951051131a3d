import fc from 'fast-check';
import { canonicalForm, CanonicalFormError, isCanonicalText, jcsText } from './canonical-form.js';
import { runEsm } from './testing/esm-process.js';

const nested = (depth: number): unknown => (depth === 1 ? [] : [nested(depth - 1)]);
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const sparse: number[] = [1];
sparse[2] = 3;
class Money {
  constructor(readonly cents: number) {}
}

function refusalOf(value: unknown): CanonicalFormError {
  try {
    canonicalForm(value);
  } catch (error) {
    if (error instanceof CanonicalFormError) return error;
    throw error;
  }
  throw new Error('the gate let the value pass');
}

/** Strings with the characters that escape, sort or encode in a special way; no NUL, no lone surrogate. */
const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...'ab"\\/\u007f\u2028\ufb33\u{1f600}'),
      fc.string({ unit: 'binary', maxLength: 1 }),
    ),
  })
  .map((raw) => raw.replaceAll('\0', '\u0001'))
  .filter((raw) => !/\p{Surrogate}/u.test(raw));
const scalar = fc.oneof(text, fc.maxSafeInteger(), fc.boolean(), fc.constant(null), fc.constant(-0));
const json = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 5 }),
  record: fc.dictionary(text, tie('value'), { maxKeys: 6 }),
})).value;

describe('the gate of the canonical form', () => {
  it.each<[string, unknown, string, RegExp]>([
    ['NaN', { a: Number.NaN }, '$.a', /safe integer/],
    ['Infinity', [Infinity], '$[0]', /safe integer/],
    ['a fraction', { cost: { usd: 1.5 } }, '$.cost.usd', /decimal string/],
    ['2^53', { n: 2 ** 53 }, '$.n', /safe integer/],
    ['a bigint', { n: 1n }, '$.n', /a bigint/],
    ['a lone surrogate', { a: ['\ud800'] }, '$.a[0]', /lone surrogate/],
    ['a lone surrogate in a key', { '\udc00': 1 }, '$["\\udc00"]', /key with a lone surrogate/],
    ['U+0000', { a: 'x\0y' }, '$.a', /U\+0000/],
    ['U+0000 in a key', { 'a\0': 1 }, '$["a\\u0000"]', /key with U\+0000/],
    ['a hole', { a: sparse }, '$.a', /hole at index 1/],
    ['an array with a name on it', Object.assign([1], { name: 1 }), '$', /named properties/],
    ['a Date', { at: new Date(0) }, '$.at', /not a Date/],
    ['a Map', new Map([['a', 1]]), '$', /not a Map/],
    ['bytes', { digest: Uint8Array.of(1) }, '$.digest', /not a Uint8Array/],
    ['an instance of a class', { price: new Money(5) }, '$.price', /instance of a class/],
    ['a boxed string', Object('a'), '$', /not a String/],
    ['an object with a prototype', Object.create({ a: 1 }), '$', /instance of a class/],
    ['a prototype set by a literal', { __proto__: { a: 1 } }, '$', /instance of a class/],
    ['an object with toJSON', { a: { toJSON: () => 1 } }, '$.a.toJSON', /a function/],
    ['an undefined value', { a: undefined }, '$.a', /undefined/],
    ['an undefined element', [undefined], '$[0]', /undefined/],
    ['undefined itself', undefined, '$', /undefined/],
    ['a function', () => 1, '$', /a function/],
    ['a symbol', { a: Symbol('s') }, '$.a', /a symbol/],
    ['a symbol as key', { [Symbol('s')]: 1 }, '$', /symbol as key/],
    ['a getter', Object.defineProperty({}, 'a', { get: () => 1, enumerable: true }), '$.a', /computed/],
    ['a hidden property', Object.defineProperty({}, 'a', { value: 1 }), '$.a', /hidden/],
    ['33 levels', nested(33), `$${'[0]'.repeat(32)}`, /more than 32 levels/],
    ['a cycle', cyclic, `$${'.self'.repeat(32)}`, /more than 32 levels/],
    ['64 KiB and one byte', 'x'.repeat(65_535), '$', /longer than 65536 bytes/],
    ['64 KiB and one byte in UTF-8', 'ü'.repeat(32_767) + 'x', '$', /longer than 65536 bytes/],
    ['a list of very many', Array.from({ length: 70_000 }, () => 1), '$', /longer than 65536 bytes/],
  ])('A3: refuses %s and says where', (_, value, path, reason) => {
    const error = refusalOf(value);
    expect(error.path).toBe(path);
    expect(error.reason).toMatch(reason);
    expect(error.message).toBe(`${error.path}: ${error.reason}`);
  });

  it.each<[string, unknown, string]>([
    ['-0 as 0', [-0], '[0]'],
    ['the largest safe integer', 2 ** 53 - 1, '9007199254740991'],
    ['__proto__ as a key like any other', JSON.parse('{"b":1,"__proto__":{"a":2}}'), '{"__proto__":{"a":2},"b":1}'],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ['toJSON as a name of data', { toJSON: 'x' }, '{"toJSON":"x"}'],
    [
      'keys by UTF-16 units, not code points',
      { '\ufb33': 1, '\u{1f600}': 2, a: 3 },
      '{"a":3,"\u{1f600}":2,"\ufb33":1}',
    ],
    ['control characters in their short forms', '\b\t\n\f\r\u001f"\\/\u2028', '"\\b\\t\\n\\f\\r\\u001f\\"\\\\/\u2028"'],
    ['a quotation mark among plain letters', { 'a"b': 'say "x"' }, '{"a\\"b":"say \\"x\\""}'],
    ['a backslash among plain letters', 'C:\\x', '"C:\\\\x"'],
    ['all of printable ASCII', " !#[]~/<>&'\u007f", '" !#[]~/<>&\'\u007f"'],
    ['no Unicode normalisation', ['\u00e9', 'e\u0301'], '["\u00e9","e\u0301"]'],
    ['32 levels', nested(32), '['.repeat(32) + ']'.repeat(32)],
  ])('A3: writes %s', (_, value, expected) => {
    expect(canonicalForm(value)).toBe(expected);
  });

  it('A3: lets exactly 65,536 bytes pass', () => {
    expect(canonicalForm('x'.repeat(65_534))).toHaveLength(65_536);
  });

  it('A3: takes plain objects of another realm, whose Object is not ours', () => {
    expect(canonicalForm(structuredClone({ b: [{}], a: 1 }))).toBe('{"a":1,"b":[{}]}');
  });

  it('A3: stops early on an object that holds itself many times over', () => {
    let doubled: unknown = 'x';
    for (let level = 0; level < 31; level += 1) doubled = [doubled, doubled];
    expect(refusalOf(doubled).reason).toMatch(/longer than 65536 bytes/);
  });

  it('A3: cuts the path of a refusal short', () => {
    expect(refusalOf({ ['k'.repeat(5_000)]: 0.5 }).message.length).toBeLessThan(300);
  });
});

describe('the canonical form', () => {
  it('A3: holds exactly the value it was made of', () => {
    fc.assert(
      fc.property(json, (value) => {
        const canonical = canonicalForm(value);
        // -0 is written 0; JSON.stringify does the same, so both sides lose the sign alike.
        expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(isCanonicalText(canonical)).toBe(true);
      }),
    );
  });

  it('A3: is the text that the canonicalize package writes', () => {
    const values = fc.sample(json, 1_000);
    const code = `import canonicalize from 'canonicalize'; for (const line of lines) say(canonicalize(JSON.parse(line)));`;
    const theirs = runEsm(
      code,
      values.map((value) => JSON.stringify(value)),
    );
    expect(values.map((value) => canonicalForm(value))).toEqual(theirs);
  });

  it('A3: below the gate, doubles are written as canonicalize writes them', () => {
    const doubles = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), 1_000);
    const code = `import canonicalize from 'canonicalize'; for (const line of lines) say(canonicalize(JSON.parse(line)));`;
    const theirs = runEsm(
      code,
      doubles.map((double) => JSON.stringify(double)),
    );
    expect(doubles.map((double) => jcsText(double))).toEqual(theirs);
    expect(() => jcsText(Infinity)).toThrow(CanonicalFormError);
  });

  it.each(['{"b":1,"a":2}', '{"a": 1}', '{"a":1,"a":1}', '1e2', '"\\u0041"', '{"a":1', 'null ', '1.5', ''])(
    'A4: knows that %s is not canonical',
    (stored) => {
      expect(isCanonicalText(stored)).toBe(false);
    },
  );
});
