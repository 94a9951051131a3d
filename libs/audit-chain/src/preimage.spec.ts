import { createHash } from 'node:crypto';
import { toHex } from './bytes.js';
import { Preimage } from './preimage.js';

const NOTHING = new Uint8Array();
const hashOf = (hex: string) => createHash('sha256').update(hex, 'hex').digest('hex');

describe('the preimage of a digest', () => {
  it.each([0, 1, 255, 256, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER])(
    'A3: holds %s as a big-endian u64',
    (value) => {
      const hash = new Preimage().begin(NOTHING).u64(value).sha256();
      expect(toHex(hash)).toBe(hashOf(value.toString(16).padStart(16, '0')));
    },
  );

  it('A3: counts the length of a text in bytes of UTF-8', () => {
    const hash = new Preimage().begin(NOTHING).prefixedText('aé€😀').sha256();
    expect(toHex(hash)).toBe(hashOf('0000000a61c3a9e282acf09f9880'));
  });

  it('A3: tells ("ab", "c") from ("a", "bc")', () => {
    const one = new Preimage().begin(NOTHING).prefixedText('ab').prefixedText('c').sha256();
    const other = new Preimage().begin(NOTHING).prefixedText('a').prefixedText('bc').sha256();
    expect(toHex(one)).not.toBe(toHex(other));
  });

  it('A3: grows with long fields and keeps nothing from before', () => {
    const preimage = new Preimage();
    const long = '€'.repeat(40_000);
    const bytes = new Uint8Array(5_000).fill(7);
    const expected = hashOf(
      `0001d4c0${Buffer.from(long).toString('hex')}00001388${Buffer.from(bytes).toString('hex')}`,
    );
    expect(toHex(preimage.begin(NOTHING).prefixedText(long).prefixedBytes(bytes).sha256())).toBe(expected);
    expect(() => preimage.begin(NOTHING).text('left behind').text('\ud800')).toThrow(TypeError);
    expect(toHex(preimage.begin(Uint8Array.of(1)).bytes(Uint8Array.of(2)).sha256())).toBe(hashOf('0102'));
  });
});
