import { recanonicalized } from '../canonical-form.js';
import { emptyHead } from '../chain.js';
import { payloadDigest } from '../digests.js';
import {
  bitFlipped,
  digestOf,
  entryAt,
  eventAt,
  inShort,
  instant,
  OTHER_WORKSPACE,
  relink,
  sampleChain,
  sampleEvent,
  verify,
  WORKSPACE,
  type SampleChain,
} from '../testing/sample-chain.js';
import type { StoredPayload } from './stored-entry.js';

const SIZE = 14;
type Tamper = (chain: SampleChain, other: SampleChain) => void;

function payloadAt(chain: SampleChain, seq: number): StoredPayload {
  const { payload } = entryAt(chain, seq);
  if (typeof payload === 'string') throw new RangeError(`the payload of entry ${seq} is ${payload}`);
  return payload;
}

/** Gives entries the sequence numbers of their places, as an UPDATE of the seq column would. */
function renumber(chain: SampleChain): void {
  for (const [place, entry] of chain.entries.entries()) entry.seq = place;
}

function swapEntries(chain: SampleChain, a: number, b: number): void {
  const [first, second] = [entryAt(chain, a), entryAt(chain, b)];
  chain.entries[a] = second;
  chain.entries[b] = first;
}

function tampered(tamper: Tamper) {
  const chain = sampleChain(WORKSPACE, SIZE);
  tamper(chain, sampleChain(OTHER_WORKSPACE, SIZE));
  return verify(chain);
}

function editPayload(chain: SampleChain, seq: number): void {
  payloadAt(chain, seq).canonical = payloadAt(chain, seq).canonical.replace('decision', 'derision');
}

const CAUGHT: [string, Tamper, string[]][] = [
  ['a payload is edited', (chain) => editPayload(chain, 5), ['payload_edited@5']],
  [
    'the salt of a payload is exchanged',
    (chain) => (payloadAt(chain, 5).salt = new Uint8Array(16)),
    ['payload_edited@5'],
  ],
  ['a salt is cut short', (chain) => (payloadAt(chain, 5).salt = new Uint8Array(15)), ['payload_edited@5']],
  [
    'the type of an event is edited',
    (chain) => (eventAt(chain, 5).type = 'decision.undone'),
    ['event_digest_mismatch@5'],
  ],
  ['the time of an event is edited', (chain) => (eventAt(chain, 5).at = instant(99)), ['event_digest_mismatch@5']],
  [
    'the actor of an event is edited',
    (chain) => (eventAt(chain, 0).actor_ref = 'someone'),
    ['event_digest_mismatch@0'],
  ],
  [
    'the digest of a payload is edited in its event',
    (chain) => (eventAt(chain, 5).payload_digest = new Uint8Array(32)),
    ['event_digest_mismatch@5'],
  ],
  [
    'an event and its payload are edited',
    (chain) => {
      eventAt(chain, 5).type = 'decision.undone';
      editPayload(chain, 5);
    },
    ['event_digest_mismatch@5', 'payload_edited@5'],
  ],
  [
    'a payload is edited with its digest, the entry left alone',
    (chain) => {
      editPayload(chain, 5);
      const { salt, canonical } = payloadAt(chain, 5);
      eventAt(chain, 5).payload_digest = payloadDigest(salt, canonical);
    },
    ['event_digest_mismatch@5'],
  ],
  [
    'an event field gets what no digest can be made of',
    (chain) => (eventAt(chain, 5).type = '\ud800'),
    ['event_digest_mismatch@5'],
  ],
  [
    'a stored hash is edited',
    (chain) => (entryAt(chain, 5).entryHash = bitFlipped(entryAt(chain, 5).entryHash)),
    ['entry_hash_mismatch@5'],
  ],
  [
    'the last stored hash is edited',
    (chain) => (entryAt(chain, 13).entryHash = new Uint8Array(32)),
    ['entry_hash_mismatch@13'],
  ],
  [
    'a stored hash loses its bytes',
    (chain) => (entryAt(chain, 5).entryHash = new Uint8Array()),
    ['entry_hash_mismatch@5'],
  ],
  [
    'the digest in an entry is edited',
    (chain) => (entryAt(chain, 5).eventDigest = new Uint8Array(32)),
    ['entry_hash_mismatch@5'],
  ],
  [
    'the prev_hash of an entry is edited',
    (chain) => (entryAt(chain, 5).prevHash = new Uint8Array(32)),
    ['entry_hash_mismatch@5'],
  ],
  ['the time of linking is edited', (chain) => (entryAt(chain, 5).linkedAt = instant(5)), ['entry_hash_mismatch@5']],
  [
    'a time is stored with six digits',
    (chain) => (entryAt(chain, 5).linkedAt = '2026-11-30T12:00:06.000000Z'),
    ['entry_hash_mismatch@5'],
  ],
  [
    'an event is edited and its entry hashed again, the next one not',
    (chain) => {
      eventAt(chain, 5).type = 'decision.undone';
      relink(chain, 5, 5);
    },
    ['prev_hash_mismatch@6'],
  ],
  ['an entry is deleted', (chain) => chain.entries.splice(5, 1), ['entry_missing@5']],
  ['three entries are deleted', (chain) => chain.entries.splice(5, 3), ['entry_missing@5']],
  ['the first entry is deleted', (chain) => chain.entries.shift(), ['entry_missing@0']],
  [
    'two entries apart are deleted',
    (chain) => {
      chain.entries.splice(9, 1);
      chain.entries.splice(2, 1);
    },
    ['entry_missing@2', 'entry_missing@9'],
  ],
  [
    'an entry is deleted and the others renumbered',
    (chain) => {
      chain.entries.splice(5, 1);
      renumber(chain);
    },
    [...[5, 6, 7, 8, 9, 10, 11, 12].map((seq) => `entry_reordered@${seq}`), 'head_size_mismatch@13'],
  ],
  [
    'the end is cut off with the entries, the head left alone',
    (chain) => chain.entries.splice(12),
    ['head_size_mismatch@12'],
  ],
  ['all entries are deleted, the head left alone', (chain) => chain.entries.splice(0), ['head_size_mismatch@0']],
  ['the head is deleted', (chain) => (chain.head = null), ['head_missing@-']],
  [
    'the head is set back, so that the writer would link over the end',
    (chain) => (chain.head = { size: 10, headHash: entryAt(chain, 9).entryHash }),
    ['head_size_mismatch@10'],
  ],
  [
    'the hash in the head loses its last byte',
    (chain) => (chain.head = { size: SIZE, headHash: entryAt(chain, 13).entryHash.slice(0, 31) }),
    ['head_hash_mismatch@13'],
  ],
  [
    'the head gets another hash',
    (chain) => (chain.head = { size: SIZE, headHash: new Uint8Array(32) }),
    ['head_hash_mismatch@13'],
  ],
  [
    'two entries change places',
    (chain) => {
      swapEntries(chain, 5, 6);
      renumber(chain);
    },
    ['entry_reordered@5', 'entry_reordered@6'],
  ],
  [
    'two entries far apart change places',
    (chain) => {
      swapEntries(chain, 1, 12);
      renumber(chain);
    },
    ['entry_hash_mismatch@1', 'entry_hash_mismatch@12'],
  ],
  [
    'the events of two entries change places',
    (chain) => {
      const [a, b] = [entryAt(chain, 5), entryAt(chain, 6)];
      [a.event, b.event] = [b.event, a.event];
      [a.payload, b.payload] = [b.payload, a.payload];
    },
    ['event_digest_mismatch@5', 'event_digest_mismatch@6'],
  ],
  [
    'the payloads of two entries change places',
    (chain) => {
      const [a, b] = [entryAt(chain, 5), entryAt(chain, 6)];
      [a.payload, b.payload] = [b.payload, a.payload];
    },
    ['payload_edited@5', 'payload_edited@6'],
  ],
  [
    'an entry without event is put behind the end',
    (chain) => chain.entries.push({ ...entryAt(chain, 13), seq: 14, eventId: 'forged', event: null }),
    ['entry_reordered@14', 'event_missing@14', 'head_size_mismatch@14'],
  ],
  [
    'a forged entry with a right hash is put in the middle and the others renumbered',
    (chain) => {
      const { event, payload } = sampleEvent(WORKSPACE, 99);
      const forged = { ...entryAt(chain, 5), eventId: event.event_id, eventDigest: digestOf(event), event, payload };
      chain.entries.splice(5, 0, forged);
      renumber(chain);
      relink(chain, 5, 5);
    },
    [...[6, 7, 8, 9, 10, 11, 12, 13, 14].map((seq) => `entry_reordered@${seq}`), 'head_size_mismatch@14'],
  ],
  [
    'an event is linked a second time, properly hashed',
    (chain) => {
      chain.entries.push({ ...entryAt(chain, 5), seq: 14 });
      relink(chain, 14);
    },
    ['entry_duplicated@14'],
  ],
  [
    'an entry of another workspace takes the place of one',
    (chain, other) => (chain.entries[5] = entryAt(other, 5)),
    ['event_foreign_workspace@5'],
  ],
  [
    'the event of another workspace is linked',
    (chain, other) => {
      Object.assign(entryAt(chain, 5), { ...entryAt(other, 5), prevHash: entryAt(chain, 5).prevHash });
      relink(chain, 5);
    },
    ['event_foreign_workspace@5'],
  ],
  [
    'the chain of another workspace is given out for this one',
    (chain, other) => {
      chain.entries = other.entries.slice(0, 2);
      for (const entry of chain.entries) entry.event = { ...eventAt(other, entry.seq), workspace_id: WORKSPACE };
      chain.head = { size: 2, headHash: entryAt(chain, 1).entryHash };
    },
    ['entry_hash_mismatch@0', 'event_digest_mismatch@0', 'entry_hash_mismatch@1', 'event_digest_mismatch@1'],
  ],
  [
    'an event moves to another workspace',
    (chain) => (eventAt(chain, 5).workspace_id = OTHER_WORKSPACE),
    ['event_foreign_workspace@5'],
  ],
  ['an event is deleted', (chain) => (entryAt(chain, 5).event = null), ['event_missing@5']],
  ['an entry names another event', (chain) => (entryAt(chain, 5).eventId = 'another'), ['event_digest_mismatch@5']],
  ['a payload is deleted', (chain) => (entryAt(chain, 5).payload = 'missing'), ['payload_missing@5']],
  [
    'an erased payload is filled with a guess',
    (chain) => (payloadAt(chain, 5).salt = bitFlipped(payloadAt(chain, 5).salt)),
    ['payload_edited@5'],
  ],
  [
    'a payload is rendered again by the database',
    (chain) => (payloadAt(chain, 5).canonical = '{"n": 5, "title": "decision 5"}'),
    ['payload_not_canonical@5'],
  ],
  [
    'a payload was never canonical, though digested as it stands',
    (chain) => {
      const payload = payloadAt(chain, 5);
      payload.canonical = '{"n":1e2}';
      eventAt(chain, 5).payload_digest = payloadDigest(payload.salt, payload.canonical);
      relink(chain, 5);
    },
    ['payload_not_canonical@5'],
  ],
  [
    'a lone surrogate was stored as U+FFFD',
    (chain) => (payloadAt(chain, 5).canonical = '{"n":5,"title":"\ufffd"}'),
    ['payload_edited@5'],
  ],
  [
    'much at once: each bad entry is named',
    (chain) => {
      editPayload(chain, 2);
      eventAt(chain, 4).type = 'decision.undone';
      entryAt(chain, 7).entryHash = new Uint8Array(32);
      chain.entries.splice(9, 1);
      entryAt(chain, 10).payload = 'missing';
    },
    ['payload_edited@2', 'event_digest_mismatch@4', 'entry_hash_mismatch@7', 'entry_missing@9', 'payload_missing@11'],
  ],
];

/** Tampering that leaves entries, hashes and head consistent: nothing in the database contradicts it but a root kept outside. */
const SEEN_BY_A_KEPT_ROOT_ALONE: [string, Tamper][] = [
  [
    'an event is edited and everything behind it hashed again',
    (chain) => {
      eventAt(chain, 5).type = 'decision.undone';
      relink(chain, 5);
    },
  ],
  [
    'an entry is deleted without a trace',
    (chain) => {
      chain.entries.splice(5, 1);
      renumber(chain);
      relink(chain, 5);
    },
  ],
  [
    'two events change places',
    (chain) => {
      const [a, b] = [entryAt(chain, 5), entryAt(chain, 6)];
      chain.entries.splice(5, 2, { ...b, linkedAt: a.linkedAt }, { ...a, linkedAt: b.linkedAt });
      renumber(chain);
      relink(chain, 5);
    },
  ],
  [
    'the end is cut off with the head',
    (chain) => {
      chain.entries.splice(12);
      chain.head = { size: 12, headHash: entryAt(chain, 11).entryHash };
    },
  ],
];

describe('tampering with a chain of 14 entries', () => {
  it('A4: nothing was done: no finding', () => {
    expect(tampered(() => undefined)).toMatchObject({
      ok: true,
      size: SIZE,
      findings: [],
      segments: [{ from_seq: 0, to_seq: 13, ok: true }],
    });
  });

  it.each(CAUGHT)('A4: %s', (_, tamper, expected) => {
    const result = tampered(tamper);
    expect(inShort(result)).toEqual(expected);
    expect(result.ok).toBe(false);
    for (const { seq, message } of result.findings) {
      expect(message).toMatch(/^[A-Z][^\n]*\.$/);
      if (seq !== undefined) expect(message).toMatch(new RegExp(`\\b(${seq}|${Math.max(seq - 1, 0)}|beginning)\\b`));
    }
  });

  it.each(SEEN_BY_A_KEPT_ROOT_ALONE)('A4: %s: consistent in itself, but the root is another', (_, tamper) => {
    const result = tampered(tamper);
    expect(result.findings.filter((finding) => finding.severity === 'error')).toEqual([]);
    expect(result.root).not.toBe(verify(sampleChain(WORKSPACE, SIZE)).root);
  });

  it('A6: an erased payload is told, and the chain stays ok', () => {
    const result = tampered((chain) => (entryAt(chain, 5).payload = 'erased'));
    expect(result).toMatchObject({ ok: true, segments: [{ from_seq: 0, to_seq: 13, ok: true }] });
    expect(result.findings).toEqual([
      {
        seq: 5,
        event_id: sampleEvent(WORKSPACE, 5).event.event_id,
        kind: 'payload_erased',
        severity: 'warning',
        message: 'The payload of entry 5 was erased; its digest still verifies.',
      },
    ]);
  });

  it('A4: a clock that ran backwards is a warning, once', () => {
    for (const seconds of [-3600, 2]) {
      const result = tampered((chain) => {
        entryAt(chain, 12).linkedAt = instant(seconds);
        relink(chain, 12);
      });
      expect(inShort(result)).toEqual(['clock_backwards@12']);
      expect(result.ok).toBe(true);
    }
  });

  it('A4: no message shows what a payload holds', () => {
    for (const [, tamper] of CAUGHT) {
      for (const { message } of tampered(tamper).findings) expect(message).not.toMatch(/derision|decision \d/);
    }
  });

  it('A4: the samples are what a writer would have stored', () => {
    const chain = sampleChain(WORKSPACE, 3);
    expect(recanonicalized(payloadAt(chain, 1).canonical)).toBe(payloadAt(chain, 1).canonical);
    expect(entryAt(chain, 0).prevHash).toEqual(emptyHead(WORKSPACE).headHash);
  });
});
