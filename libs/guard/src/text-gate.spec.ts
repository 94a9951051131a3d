import { checkText } from './text-gate.js';

const nested = (depth: number): unknown => (depth === 0 ? 'x' : { a: nested(depth - 1) });

describe('the text gate', () => {
  it.each([
    ['a NUL', { title: 'a\u0000b' }, 'title', 'U+0000 at offset 1'],
    ['a lone high surrogate', { title: 'a\ud83d' }, 'title', 'lone surrogate at offset 1'],
    ['a lone low surrogate', { title: '\ude00a' }, 'title', 'lone surrogate at offset 0'],
    ['a reversed pair', { title: '\ude00\ud83d' }, 'title', 'lone surrogate at offset 0'],
    ['a NUL deep in a list', { prs: [{ url: 'x' }, { url: '\u0000' }] }, 'prs.1.url', 'U+0000 at offset 0'],
    ['a key with a NUL', { 'a\u0000': 1 }, 'a\u0000', 'U+0000'],
    ['a reserved key', JSON.parse('{"__proto__": {"admin": true}}'), '__proto__', 'reserved name'],
    ['33 levels', nested(33), 'a.a.a.a', 'nested more than 32'],
  ])('refuses %s and names the argument', (_label, input, path, message) => {
    const [problem] = checkText(input);
    expect(problem?.path).toBe(path);
    expect(problem?.message).toContain(message);
  });

  it.each([
    ['astral characters', { title: '🦊 fox' }],
    ['a byte order mark', { title: '\ufeffFirst' }],
    ['32 levels', nested(32)],
    ['numbers, booleans and null', { a: 1, b: true, c: null }],
  ])('lets %s through', (_label, input) => {
    expect(checkText(input)).toEqual([]);
  });

  it('finds every bad argument, not only the first', () => {
    expect(checkText({ a: '\u0000', b: '\u0000' }).map((problem) => problem.path)).toEqual(['a', 'b']);
  });
});
