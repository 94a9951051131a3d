import {
  diffHashProblem,
  failingSignatureProblem,
  hasNoProgress,
  sessionIdProblem,
  unchangedAfter,
  type LastMeasured,
} from './loop-rules.js';
import { diffHash, failingSignature, line } from './fields.js';

const NOTHING: LastMeasured = { failing_signature: null, diff_hash: null, unchanged: 0 };
const X = 'a'.repeat(7);
const Y = 'b'.repeat(64);

describe('what a measurement means', () => {
  it.each([
    ['a first sighting', NOTHING, { failing_signature: 'a fails', diff_hash: X }, 0],
    ['the same pair', { failing_signature: 'a fails', diff_hash: X, unchanged: 0 }, null, 1],
    ['the same pair once more', { failing_signature: 'a fails', diff_hash: X, unchanged: 7 }, null, 8],
    [
      'another failure',
      { failing_signature: 'b fails', diff_hash: X, unchanged: 7 },
      { failing_signature: 'a fails', diff_hash: X },
      0,
    ],
    [
      'another diff',
      { failing_signature: 'a fails', diff_hash: Y, unchanged: 7 },
      { failing_signature: 'a fails', diff_hash: X },
      0,
    ],
    [
      'a pass',
      { failing_signature: 'a fails', diff_hash: X, unchanged: 7 },
      { failing_signature: null, diff_hash: X },
      0,
    ],
    [
      'a pass over the same diff again',
      { failing_signature: null, diff_hash: X, unchanged: 0 },
      { failing_signature: null, diff_hash: X },
      0,
    ],
  ])('L3: after %s', (_what, last, measured, unchanged) => {
    const same = { failing_signature: last.failing_signature, diff_hash: X };
    expect(unchangedAfter(last, measured ?? same)).toBe(unchanged);
  });

  it('L3: the verdict follows the limit as it is now', () => {
    expect([2, 3, 4].map((unchanged) => hasNoProgress({ unchanged }, { no_progress_limit: 3 }))).toEqual([
      false,
      true,
      true,
    ]);
    expect(hasNoProgress({ unchanged: 3 }, { no_progress_limit: 4 })).toBe(false);
  });
});

describe('texts of loop state, judged without a schema library', () => {
  const TEXTS = [
    'a fails',
    '',
    '   ',
    '\u200b\ufeff',
    'x'.repeat(200),
    '😀'.repeat(200),
    'x'.repeat(201),
    'x'.repeat(500),
    '😀'.repeat(501),
    'a\nb',
    'a\u2028b',
    'a\n',
    X,
    Y,
    'ABCDEF0123',
    'a'.repeat(6),
    'a'.repeat(65),
    `${X}\n`,
    'diff --git a/x b/x',
  ];

  it.each([
    ['a session id', sessionIdProblem, line()],
    ['a failing signature', failingSignatureProblem, failingSignature()],
    ['a diff hash', diffHashProblem, diffHash()],
  ])('L4: %s is refused exactly where the contract refuses it, in the same words', (_what, problemOf, schema) => {
    const words = TEXTS.map((text) => schema.safeParse(text).error?.issues[0]?.message ?? null);
    expect(TEXTS.map(problemOf)).toEqual(words);
    expect(new Set(words.map((word) => word === null))).toEqual(new Set([true, false]));
  });
});
