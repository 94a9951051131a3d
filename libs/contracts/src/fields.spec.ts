import type { z } from 'zod';
import {
  attributes,
  commitSha,
  date,
  id,
  line,
  markdown,
  pageInput,
  repositoryPath,
  slug,
  tags,
  title,
} from './fields.js';
import { codePointLength, isBlank } from './text.js';

const FOX = '🦊';

const parse = (schema: z.ZodType, value: unknown): unknown => {
  const result = schema.safeParse(value);
  return result.success ? result.data : 'refused';
};

describe('fields', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    [FOX.repeat(3), 3],
    ['e\u0301', 2],
    ['\ud83d', 1],
    [`a${FOX}b`, 3],
  ])('counts the code points of %j', (text, length) => {
    expect(codePointLength(text)).toBe(length);
  });

  it.each(['', ' ', '\t\n', '\u200b\u200d\u2060', '\ufeff', '\u3164', '\u115f'])('%j shows nothing', (text) => {
    expect(isBlank(text)).toBe(true);
  });

  it.each([
    ['200 code points', title(), FOX.repeat(200), FOX.repeat(200)],
    ['201', title(), FOX.repeat(201), 'refused'],
    ['a blank title', title(), '  \t ', 'refused'],
    ['a zero-width title', title(), '\u200b', 'refused'],
    ['an empty title', title(), '', 'refused'],
    ['a family', title(), '👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
    ['a number', title(), 7, 'refused'],
    ['null', title(), null, 'refused'],
    ['500 in a line', line(), 'x'.repeat(500), 'x'.repeat(500)],
    ['501 in a line', line(), 'x'.repeat(501), 'refused'],
    ['32,000 of markdown', markdown(), 'x'.repeat(32_000), 'x'.repeat(32_000)],
    ['32,001 of markdown', markdown(), 'x'.repeat(32_001), 'refused'],
  ])('text: %s', (_label, schema, value, expected) => {
    expect(parse(schema, value)).toEqual(expected);
  });

  it('a text that is too long is told its size and the limit', () => {
    expect(title().safeParse('x'.repeat(100_000)).error?.issues[0]?.message).toBe(
      'has 100000 characters; the limit is 200',
    );
  });

  it.each([
    '01K5ZQ8W3M9X7B2C4D6E8F0G1',
    '01K5ZQ8W3M9X7B2C4D6E8F0G1HH',
    '01K5ZQ8W3M9X7B2C4D6E8F0GIH',
    '01K5ZQ8W3M9X7B2C4D6E8F0GUH',
    '8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    '01k5zq8w3m9x7b2c4d6e8f0g1h',
    '01K5ZQ8W3M9X7B2C4D6E8F0G1H\n',
    ' 01K5ZQ8W3M9X7B2C4D6E8F0G1H',
    '',
    12345,
    ['01K5ZQ8W3M9X7B2C4D6E8F0G1H'],
  ])('id: %j is refused', (value) => {
    expect(parse(id(), value)).toBe('refused');
  });

  it.each(['2028-02-29', '2000-02-29', '0001-01-01', '2999-12-31'])('date: %s is a day', (value) => {
    expect(parse(date(), value)).toBe(value);
  });

  it.each([
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-01-00',
    '0000-01-01',
    '2026-1-1',
    '20260101',
    'infinity',
    'today',
    '2026-01-01\n',
    '٢٠٢٦-٠١-٠١',
    '12026-01-01',
    20260101,
  ])('date: %j is refused', (value) => {
    expect(parse(date(), value)).toBe('refused');
  });

  it.each([
    ['A'.repeat(40), 'a'.repeat(40)],
    ['b'.repeat(64), 'b'.repeat(64)],
    ['abcdef1', 'abcdef1'],
    ['a'.repeat(16), 'a'.repeat(16)],
    ['a'.repeat(17), 'refused'],
    ['a'.repeat(39), 'refused'],
    ['a'.repeat(6), 'refused'],
    ['HEAD', 'refused'],
  ])('sha: %s', (value, expected) => {
    expect(parse(commitSha(), value)).toBe(expected);
  });

  it.each([
    ['src\\a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['/repo/src/a.ts', 'repo/src/a.ts'],
    ['../../other/secret.ts', 'refused'],
    ['src/../..', 'refused'],
    ['', 'refused'],
    ['./', 'refused'],
    ['src/100%_done/a_b.ts', 'src/100%_done/a_b.ts'],
  ])('path: %j', (value, expected) => {
    expect(parse(repositoryPath(), value)).toBe(expected);
  });

  it.each([
    [['a', 'a'], ['a']],
    ['a', 'refused'],
    [['a', null], 'refused'],
    [[['a']], 'refused'],
    [{ 0: 'a', length: 1 }, 'refused'],
    [Array.from({ length: 201 }, (_, index) => `t${index}`), 'refused'],
  ])('tags: %j', (value, expected) => {
    expect(parse(tags(), value)).toEqual(expected);
  });

  it.each([
    [0, 'refused'],
    [201, 'refused'],
    ['50', 'refused'],
    [1.5, 'refused'],
    [200, 200],
  ])('limit: %j', (value, expected) => {
    expect(parse(pageInput.limit, value)).toBe(expected);
  });

  it.each([
    ['my-project', 'my-project'],
    ['My-Project', 'refused'],
    ['-a', 'refused'],
    ['a--b', 'refused'],
    ['a'.repeat(61), 'refused'],
  ])('slug: %s', (value, expected) => {
    expect(parse(slug(), value)).toBe(expected);
  });

  it('attributes are text to text, at most 50', () => {
    expect(parse(attributes(), { framework: 'next' })).toEqual({ framework: 'next' });
    expect(parse(attributes(), { framework: 1 })).toBe('refused');
    expect(parse(attributes(), Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v'])))).toBe(
      'refused',
    );
  });
});
