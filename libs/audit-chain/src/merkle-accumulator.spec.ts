import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { toHex } from './bytes.js';
import { MerkleAccumulator } from './merkle-accumulator.js';

/** RFC 6962 section 2.1 word for word, on Node's own hash: MTH of n entries splits at the largest power of two below n. */
function naiveRoot(entries: readonly Uint8Array[]): Buffer {
  const [only] = entries;
  if (!only) return createHash('sha256').digest();
  if (entries.length === 1) return createHash('sha256').update(Buffer.of(0)).update(only).digest();
  let split = 1;
  while (split * 2 < entries.length) split *= 2;
  const [left, right] = [naiveRoot(entries.slice(0, split)), naiveRoot(entries.slice(split))];
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}

function accumulated(entries: readonly Uint8Array[]): MerkleAccumulator {
  const tree = new MerkleAccumulator();
  for (const entry of entries) tree.append(entry);
  return tree;
}

const hashes = Array.from({ length: 300 }, (_, n) => createHash('sha256').update(String(n)).digest());

describe('the Merkle accumulator', () => {
  it('A3: gives SHA-256 of nothing for an empty tree (RFC 6962 section 2.1)', () => {
    const tree = new MerkleAccumulator();
    expect(toHex(tree.root())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(tree.size).toBe(0);
  });

  it('A3: gives the root of RFC 6962 at every size up to 300', () => {
    const tree = new MerkleAccumulator();
    for (const [n, hash] of hashes.entries()) {
      tree.append(hash);
      expect(tree.size).toBe(n + 1);
      expect(toHex(tree.root())).toBe(naiveRoot(hashes.slice(0, n + 1)).toString('hex'));
    }
  });

  it('A3: gives the root of RFC 6962 for any entries', () => {
    const entry = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 70 }), (entries) => {
        expect(toHex(accumulated(entries).root())).toBe(naiveRoot(entries).toString('hex'));
      }),
    );
  });

  it('A3: asking for the root changes nothing', () => {
    const tree = accumulated(hashes.slice(0, 7));
    expect(toHex(tree.root())).toBe(toHex(tree.root()));
    tree.append(hashes[7] ?? new Uint8Array());
    expect(toHex(tree.root())).toBe(naiveRoot(hashes.slice(0, 8)).toString('hex'));
  });

  it('A3: tells a leaf from a node, so no inner hash can pass as an entry', () => {
    const [a, b] = [hashes.slice(0, 1), hashes.slice(1, 2)].map((entries) => accumulated(entries).root());
    const pair = createHash('sha256')
      .update(a ?? '')
      .update(b ?? '')
      .digest();
    expect(toHex(accumulated([pair]).root())).not.toBe(toHex(accumulated(hashes.slice(0, 2)).root()));
  });

  it.each([0, 31, 33, 64])('A3: refuses an entry hash of %s bytes', (length) => {
    expect(() => new MerkleAccumulator().append(new Uint8Array(length))).toThrow(/32 bytes/);
  });
});
