import { assertDigest } from './digests.js';
import { Preimage } from './preimage.js';

const LEAF = Uint8Array.of(0x00);
const NODE = Uint8Array.of(0x01);
const NOTHING = new Uint8Array();

/** Shared: every hash is begun and finished within one call. */
const preimage = new Preimage();

/**
 * Root of the RFC 6962 tree (section 2.1) over entry hashes, appended one by one. It keeps the roots of the complete subtrees
 * alone, at most 53 of them, largest first: one for each bit that is set in the size.
 */
export class MerkleAccumulator {
  private readonly subtrees: Uint8Array[] = [];
  private count = 0;

  get size(): number {
    return this.count;
  }

  /**
   * Adds the next entry's hash. The chain and the tree are built from the same bytes; a second list would let them disagree.
   * @throws TypeError when it is not 32 bytes.
   */
  append(entryHash: Uint8Array): void {
    assertDigest(entryHash, 'entryHash');
    let root = preimage.begin(LEAF).bytes(entryHash).sha256();
    // Each complete subtree of the size just reached joins its left neighbour: as in adding one to a binary number.
    for (let carry = this.count; carry % 2 === 1; carry = Math.floor(carry / 2)) {
      root = nodeHash(this.subtrees.pop(), root);
    }
    this.subtrees.push(root);
    this.count += 1;
  }

  /** The root over all entries so far; of an empty tree SHA-256 of nothing. */
  root(): Uint8Array {
    if (this.subtrees.length === 0) return preimage.begin(NOTHING).sha256();
    return this.subtrees.reduceRight((right, left) => nodeHash(left, right));
  }
}

function nodeHash(left: Uint8Array | undefined, right: Uint8Array): Uint8Array {
  if (!left) throw new RangeError('a Merkle node has two children');
  return preimage.begin(NODE).bytes(left).bytes(right).sha256();
}
