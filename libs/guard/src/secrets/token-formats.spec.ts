import { diceOf, makeToken } from '../testing/made-tokens.js';
import { detectSecret } from './detect-secret.js';
import { TOKEN_FORMATS } from './token-formats.js';

const ROWS = TOKEN_FORMATS.flatMap((format, row) =>
  format.prefixes.map((prefix) => ({ label: `${format.kind} ${prefix}`, format, prefix, row })),
);
const SAMPLES = 5;

describe('the token formats', () => {
  it.each(ROWS)('L4: $label is found in full, by its own kind', ({ format, prefix, row }) => {
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const token = makeToken(format, prefix, diceOf(row * SAMPLES + sample));
      const before = format.isLabel ? `Endpoint=x;${prefix}` : 'it says "';
      expect(detectSecret(`${before}${token}" there`)).toEqual({
        kind: format.kind,
        offset: before.length,
        length: token.length,
      });
    }
  });

  it.each(ROWS.filter(({ format }) => !format.isLabel && format.before?.min !== 1))(
    'L4: $label inside a longer word is none',
    (row) => {
      const token = makeToken(row.format, row.prefix, diceOf(row.row));
      expect(detectSecret(`word9${token}`)?.kind).not.toBe(row.format.kind);
    },
  );

  it('L4: every kind is a stable name in snake case', () => {
    for (const { kind } of TOKEN_FORMATS) expect(kind).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/);
  });
});
