import { readFileSync } from 'node:fs';
import path from 'node:path';
import { canonicalForm } from './canonical-form.js';
import { entryHash, eventDigest, genesisHash, payloadDigest, type AuditEventFields } from './digests.js';
import { fromHex, toHex } from './bytes.js';
import { emptyHead, linkEvents } from './chain.js';
import { MerkleAccumulator } from './merkle-accumulator.js';

interface KnownEntry {
  seq: number;
  event: AuditEventFields;
  payload: unknown;
  salt_hex: string;
  payload_jcs: string;
  event_jcs: string;
  linked_at: string;
  payload_digest: string;
  event_digest: string;
  prev_hash: string;
  entry_hash: string;
}

const file = path.join(__dirname, '..', 'cases', 'known-answer.json');
// JSON.parse gives no type: the shape is that of the file, which Python wrote and nothing here writes.
const known = JSON.parse(readFileSync(file, 'utf8')) as {
  workspace_id: string;
  genesis: string;
  entries: KnownEntry[];
  roots: Record<string, string>;
};

describe('known answers computed by another program', () => {
  it('A3: gives the genesis hash', () => {
    expect(toHex(genesisHash(known.workspace_id))).toBe(known.genesis);
  });

  it.each(known.entries)('A3: gives texts, digests and hash of entry $seq', (entry) => {
    expect(canonicalForm(entry.payload)).toBe(entry.payload_jcs);
    expect(canonicalForm(entry.event)).toBe(entry.event_jcs);
    expect(toHex(payloadDigest(fromHex(entry.salt_hex), entry.payload_jcs))).toBe(entry.payload_digest);
    expect(toHex(eventDigest(entry.event))).toBe(entry.event_digest);
    const hash = entryHash({
      workspaceId: known.workspace_id,
      seq: entry.seq,
      prevHash: fromHex(entry.prev_hash),
      eventDigest: fromHex(entry.event_digest),
      linkedAt: entry.linked_at,
    });
    expect(toHex(hash)).toBe(entry.entry_hash);
  });

  it('A3: linking the events gives the same chain', () => {
    let head = emptyHead(known.workspace_id);
    for (const { event, event_digest, linked_at, prev_hash, entry_hash } of known.entries) {
      const linkable = { eventId: event.event_id, eventDigest: fromHex(event_digest) };
      const linked = linkEvents(head, [linkable], linked_at);
      expect(linked.entries.map((entry) => [toHex(entry.prevHash), toHex(entry.entryHash)])).toEqual([
        [prev_hash, entry_hash],
      ]);
      head = linked.head;
    }
    expect(head.size).toBe(known.entries.length);
  });

  it('A3: gives the Merkle root at every size', () => {
    const tree = new MerkleAccumulator();
    const roots = known.entries.map(({ entry_hash }) => {
      tree.append(fromHex(entry_hash));
      return [String(tree.size), toHex(tree.root())];
    });
    expect(Object.fromEntries(roots)).toEqual(known.roots);
  });
});
