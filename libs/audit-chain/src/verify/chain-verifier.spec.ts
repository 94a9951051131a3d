import fc from 'fast-check';
import { toHex } from '../bytes.js';
import { emptyHead } from '../chain.js';
import { MerkleAccumulator } from '../merkle-accumulator.js';
import {
  bitFlipped,
  entryAt,
  eventAt,
  inShort,
  instant,
  sampleChain,
  verify,
  WORKSPACE,
  type SampleChain,
} from '../testing/sample-chain.js';
import { ChainVerifier, type VerifyFrom } from './chain-verifier.js';
import { LinkedEvents } from './linked-events.js';
import type { StoredEntry } from './stored-entry.js';

function walk(entries: readonly StoredEntry[], head: SampleChain['head'], from?: VerifyFrom) {
  const verifier = new ChainVerifier(WORKSPACE, from);
  for (const entry of entries) verifier.push(entry);
  return verifier.finish(head);
}

/** Every way to change one stored thing of one entry. */
const EDITS: Record<string, (chain: SampleChain, seq: number) => void> = {
  entryHash: (chain, seq) => (entryAt(chain, seq).entryHash = bitFlipped(entryAt(chain, seq).entryHash)),
  prevHash: (chain, seq) => (entryAt(chain, seq).prevHash = bitFlipped(entryAt(chain, seq).prevHash)),
  eventDigest: (chain, seq) => (entryAt(chain, seq).eventDigest = bitFlipped(entryAt(chain, seq).eventDigest)),
  linkedAt: (chain, seq) => (entryAt(chain, seq).linkedAt = instant(-1)),
  eventId: (chain, seq) => (entryAt(chain, seq).eventId = 'another'),
  event: (chain, seq) => (entryAt(chain, seq).event = null),
  type: (chain, seq) => (eventAt(chain, seq).type = 'x.y'),
  subject_id: (chain, seq) => (eventAt(chain, seq).subject_id = 'x'),
  event_id: (chain, seq) => (eventAt(chain, seq).event_id = 'x'),
  workspace_id: (chain, seq) => (eventAt(chain, seq).workspace_id = 'x'),
  payload_digest: (chain, seq) => (eventAt(chain, seq).payload_digest = new Uint8Array(5)),
  payload: (chain, seq) => (entryAt(chain, seq).payload = 'missing'),
  salt: (chain, seq) => (entryAt(chain, seq).payload = { salt: new Uint8Array(16), canonical: '{}' }),
};

describe('the walk over a chain', () => {
  it('A4: names one edited entry, once, and no other, whatever was edited', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(EDITS)), fc.nat({ max: 19 }), (edit, seq) => {
        const chain = sampleChain(WORKSPACE, 20);
        EDITS[edit]?.(chain, seq);
        const { ok, findings, segments } = verify(chain);
        expect(ok).toBe(false);
        expect(findings.map((finding) => finding.seq)).toEqual([seq]);
        expect(segments.filter((segment) => !segment.ok)).toEqual([{ from_seq: seq, to_seq: seq, ok: false }]);
      }),
    );
  });

  it('A4: gives the longest runs of good and bad entries, missing ones among the bad', () => {
    const chain = sampleChain(WORKSPACE, 14);
    eventAt(chain, 3).type = 'x.y';
    entryAt(chain, 4).payload = 'missing';
    entryAt(chain, 8).payload = 'erased';
    chain.entries.splice(12);
    chain.entries.splice(5, 2);
    expect(verify(chain).segments).toEqual([
      { from_seq: 0, to_seq: 2, ok: true },
      { from_seq: 3, to_seq: 6, ok: false },
      { from_seq: 7, to_seq: 11, ok: true },
      { from_seq: 12, to_seq: 13, ok: false },
    ]);
  });

  it('A4: an empty chain is ok, with its head or before it has one', () => {
    const { headHash } = emptyHead(WORKSPACE);
    const empty = { ok: true, size: 0, segments: [], findings: [], root: toHex(new MerkleAccumulator().root()) };
    expect(walk([], null)).toEqual(empty);
    expect(walk([], { size: 0, headHash })).toEqual(empty);
    expect(inShort(walk([], { size: 0, headHash: new Uint8Array(32) }))).toEqual(['head_hash_mismatch@0']);
  });

  it('A3: gives the Merkle root of the stored entry hashes', () => {
    const chain = sampleChain(WORKSPACE, 14);
    const tree = new MerkleAccumulator();
    for (const entry of chain.entries) tree.append(entry.entryHash);
    expect(verify(chain).root).toBe(toHex(tree.root()));
    entryAt(chain, 5).payload = 'erased';
    expect(verify(chain).root).toBe(toHex(tree.root()));
  });

  it('A4: gives no root where it did not see the whole chain', () => {
    const { entries, head } = sampleChain(WORKSPACE, 6);
    expect(walk(entries.slice(2), head, { fromSeq: 2 }).root).toBe('');
    expect(walk(entries.toSpliced(3, 1), head).root).toBe('');
  });

  it('A4: picks up in the middle and judges the first link by what it was given', () => {
    const chain = sampleChain(WORKSPACE, 10);
    const rest = chain.entries.slice(6);
    const { entryHash: prevHash, linkedAt } = entryAt(chain, 5);
    expect(walk(rest, chain.head, { fromSeq: 6, prevHash, linkedAt })).toMatchObject({
      ok: true,
      size: 10,
      findings: [],
      segments: [{ from_seq: 6, to_seq: 9, ok: true }],
    });
    expect(inShort(walk(rest, chain.head, { fromSeq: 6, prevHash: bitFlipped(prevHash) }))).toEqual([
      'prev_hash_mismatch@6',
    ]);
    expect(inShort(walk(rest, chain.head, { fromSeq: 6, prevHash, linkedAt: instant(60) }))).toEqual([
      'clock_backwards@6',
    ]);
    expect(walk(rest, chain.head, { fromSeq: 6 }).findings).toEqual([]);
    expect(inShort(walk(rest.slice(1), chain.head, { fromSeq: 6 }))).toEqual(['entry_missing@6']);
  });

  it('A4: tells an entry that comes late from one that is missing', () => {
    const { entries, head } = sampleChain(WORKSPACE, 12);
    const late = [...entries.slice(0, 4), ...entries.slice(7), ...entries.slice(5, 6)];
    expect(inShort(walk(late, head))).toEqual(['entry_missing@4', 'entry_reordered@5', 'entry_missing@6']);
    const swapped = [...entries.slice(0, 5), ...entries.slice(6, 7), ...entries.slice(5, 6), ...entries.slice(7)];
    expect(inShort(walk(swapped, head))).toEqual(['entry_reordered@5']);
  });

  it('A4: tells an entry that comes twice', () => {
    const { entries, head } = sampleChain(WORKSPACE, 8);
    expect(inShort(walk([...entries.slice(0, 4), ...entries.slice(3)], head))).toEqual(['entry_duplicated@3']);
  });

  it('A4: takes a wrong type of sequence number for the mistake of its caller that it is', () => {
    const { entries } = sampleChain(WORKSPACE, 1);
    const [entry] = entries;
    const verifier = new ChainVerifier(WORKSPACE, { fromSeq: 3 });
    for (const seq of [0.5, -1, Number.NaN, 2]) {
      expect(() => entry && verifier.push({ ...entry, seq })).toThrow(TypeError);
    }
    expect(() => new ChainVerifier(WORKSPACE, { fromSeq: -1 })).toThrow(TypeError);
  });

  it('A4: remembers events through a change of generation, and no longer than two', () => {
    const events = new LinkedEvents(3);
    for (const [seq, id] of ['a', 'b', 'c', 'd', 'e'].entries()) expect(events.linkedBefore(id, seq)).toBeUndefined();
    expect(events.linkedBefore('a', 9)).toBe(0);
    expect(events.linkedBefore('e', 9)).toBe(4);
    for (const [seq, id] of ['f', 'g', 'h', 'i'].entries()) events.linkedBefore(id, seq);
    expect(events.linkedBefore('a', 9)).toBeUndefined();
  });
});
