import fc from 'fast-check';
import { RE2JS } from 're2js';
import { checkCodePattern } from '../index.js';
import { drained } from '../matching/collect-answer.js';
import { CodePatternIndex } from './code-pattern-index.js';
import { compileCodePattern } from './compile-code-pattern.js';
import { GramTable } from './gram-table.js';
import { requiredLiterals } from './required-literals.js';

/** Patterns of the constructs the scanner tells apart, most of them sound. */
const patterns = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'b',
        'foo',
        'bar',
        '.',
        '^',
        '$',
        '\\b',
        '\\.',
        '\\d',
        '[ab]',
        '[^]a]',
        '[[:alpha:]x]',
        '[\\]a]',
        '\\x61',
        '\\x{62}',
      ],
      ...[
        '\\141',
        '\\pL',
        '\\p{Greek}',
        '\\Qa.b\\E',
        '(',
        '(?:',
        '(?P<n>',
        '(?<m>',
        '(?i)',
        '(?i:',
        '(?s-i:',
        '(?m)',
        ')',
        '|',
      ],
      ...['*', '+?', '?', '{0}', '{2}', '{1,}', '{0,2}', '{,2}', '🦊', '\\('],
    ),
    { maxLength: 9 },
  )
  .map((pieces) => pieces.join(''));

const texts = fc
  .array(fc.constantFrom('a', 'b', 'foo', 'bar', '.', 'A', 'FOO', '\n', 'a.b', '🦊', '{,2}', '1', 'α', ' ', '(', ']'), {
    maxLength: 8,
  })
  .map((pieces) => pieces.join(''));

describe('R2: positions of what RE2 does not take', () => {
  it.each([
    ['[(?=]x(?=y)', 6],
    ['a*b|*c', 4],
    ['\\Q(?=\\E(?=a)', 7],
    ['(a{500}){500}', 8],
    ['[ab][ab', 4],
    ['[)](a))', 6],
    ['\\Q)\\E)', 5],
    ['(a)b)c)', 4],
    ['[(]((a)', 3],
    ['x(?P<n>a(b)', 1],
    ['(?P<n', 0],
    ['(?P<n>a)(?P<n>b)', 12],
    ['🦊🦊\\1', 2],
    ['a**', 1],
    ['(?z)', 0],
    ['a(?i', 1],
    ['[[:vowel:]]', 1],
    ['🦊[z-a]', 2],
  ])('R2: %j at %i', (pattern, position) => {
    expect(checkCodePattern(pattern)).toMatchObject({ kind: 'code_pattern_error', position });
  });

  it('R2: every refused pattern has a place inside it, every other compiles', () => {
    fc.assert(
      fc.property(patterns, (pattern) => {
        const fault = checkCodePattern(pattern);
        if (fault === null) expect(() => RE2JS.compile(pattern)).not.toThrow();
        else expect(fault.position).toBeLessThan(Math.max(1, pattern.length));
      }),
      { numRuns: 1_500 },
    );
  });

  it('R2: length and program size are bounded', () => {
    expect(checkCodePattern('a'.repeat(998))).toBeNull();
    expect(checkCodePattern('a'.repeat(1_001))).toMatchObject({ position: 1_000 });
    expect(checkCodePattern('(?:a{30}){30}')).toBeNull();
    expect(checkCodePattern('(?:a{31}){32}b{100}')?.message).toContain('instructions');
    expect(checkCodePattern('('.repeat(500) + 'a' + ')'.repeat(499))?.message).toContain('missing closing )');
  });
});

describe('R2: literals that a text must hold', () => {
  it.each([
    ['console\\.log\\(', ['console.log(']],
    ['(?m)^\\+.*\\beval\\(', ['eval(']],
    ['(?:eval|exec)\\(', ['eval', 'exec']],
    ['fooo?barx', ['barx']],
    ['foo+bar', ['foo']],
    ['(secret)\\s*=', ['secret']],
    ['(?:secret)?=abc', ['=abc']],
    ['[abc]x\\x41de', ['de']],
    ['\\Qa.b(c)\\E+', ['a.b(c)']],
    ['foo|', null],
    ['(?i)foo', null],
    ['foo(?i:x)', null],
    ['[a-z]+', null],
    ['a{0}', null],
  ])('R2: %s', (pattern, literals) => {
    expect(requiredLiterals(pattern)).toEqual(literals);
  });

  it('R2: no text matches without one of them', () => {
    let matched = 0;
    fc.assert(
      fc.property(patterns, fc.array(texts, { minLength: 5, maxLength: 5 }), (pattern, list) => {
        fc.pre(checkCodePattern(pattern) === null);
        const expression = RE2JS.compile(pattern);
        const literals = requiredLiterals(pattern);
        for (const text of list.filter((each) => expression.test(each))) {
          matched += 1;
          expect([pattern, text, literals?.some((literal) => text.includes(literal)) ?? true]).toEqual([
            pattern,
            text,
            true,
          ]);
        }
      }),
      { numRuns: 1_500, maxSkipsPerRun: 50 },
    );
    expect(matched).toBeGreaterThan(1_000);
  });
});

describe('R2: the index of code patterns', () => {
  it('R2: leaves out no pattern that matches', () => {
    fc.assert(
      fc.property(fc.array(patterns, { maxLength: 10 }), texts, (list, text) => {
        const sound = list.filter((pattern) => checkCodePattern(pattern) === null).map(compileCodePattern);
        const candidates = drained(new CodePatternIndex(sound).candidates(text));
        sound.forEach((pattern, number) => {
          if (pattern.matches(text))
            expect([pattern.pattern, text, [...candidates]]).toEqual([
              pattern.pattern,
              text,
              expect.arrayContaining([number]),
            ]);
        });
      }),
      { numRuns: 800 },
    );
  });

  it('R2: of a thousand named calls only those in the text are candidates', () => {
    const list = Array.from({ length: 1_000 }, (_, number) => compileCodePattern(`\\bclient${number}\\.get\\(`));
    const index = new CodePatternIndex([...list, compileCodePattern('(?i)todo'), compileCodePattern('foo')]);
    expect([...drained(index.candidates('await client7.get(client70)'))]).toEqual([1_000, 7]);
    expect([...drained(index.candidates('a foo'))]).toEqual([1_000, 1_001]);
  });

  it('R2: a gram at either end of the text is seen, a shorter text has none', () => {
    const literals = ['abc', 'xabc', 'yabc'].map((literal, entry) => ({ literal, entry }));
    const table = new GramTable(3, literals);
    expect(table.entriesIn('abc')).toEqual([0]);
    expect(table.entriesIn('..xab')).toEqual([1]);
    expect(table.entriesIn('yabc')).toEqual([2, 0]);
    expect(table.entriesIn('ab')).toEqual([]);
    expect(new GramTable(3, []).entriesIn('abc')).toEqual([]);
  });
});
