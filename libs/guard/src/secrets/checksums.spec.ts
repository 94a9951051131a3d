import { crc32 } from 'node:zlib';
import { diceOf } from '../testing/made-tokens.js';
import { base62Checksum } from './checksums.js';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const valueOf = (text: string): number => [...text].reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0);

describe('the checksum of tokens', () => {
  it('I2: is zlib’s CRC-32 in six digits of base 62', () => {
    const dice = diceOf(1);
    for (let length = 0; length < 80; length += 1) {
      const text = Array.from({ length }, () => DIGITS[dice(62)] ?? '').join('');
      expect(base62Checksum(text)).toHaveLength(6);
      expect(valueOf(base62Checksum(text))).toBe(crc32(text));
    }
  });
});
