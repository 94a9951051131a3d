import { fromHex, toHex } from './bytes.js';
import { CanonicalFormError } from './canonical-form.js';
import { entryHash, eventDigest, genesisHash, payloadDigest } from './digests.js';
import { digestOf, OTHER_WORKSPACE, sampleEvent, WORKSPACE } from './testing/sample-chain.js';

const salt = new Uint8Array(16);
const entry = {
  workspaceId: WORKSPACE,
  seq: 0,
  prevHash: new Uint8Array(32),
  eventDigest: new Uint8Array(32),
  linkedAt: '2026-11-30T12:00:00.000Z',
};
const { event: storedEvent } = sampleEvent(WORKSPACE, 0);
const event = { ...storedEvent, payload_digest: toHex(storedEvent.payload_digest) };

describe('digests', () => {
  it.each([0, 15, 17, 32])('A3: refuse a salt of %s bytes', (length) => {
    expect(() => payloadDigest(new Uint8Array(length), '{}')).toThrow(/16 bytes/);
  });

  it('A3: refuse a text that UTF-8 could only hold changed', () => {
    expect(() => payloadDigest(salt, '"\ud800"')).toThrow(/lone surrogate/);
    expect(() => genesisHash('\udc00')).toThrow(/lone surrogate/);
    expect(() => eventDigest({ ...event, type: '\ud800' })).toThrow(CanonicalFormError);
  });

  it('A6: differ with the salt, so an erased payload cannot be guessed', () => {
    expect(toHex(payloadDigest(salt, '{}'))).not.toBe(toHex(payloadDigest(new Uint8Array(16).fill(1), '{}')));
  });

  it.each(['v', 'event_id', 'workspace_id', 'type', 'at', 'actor_ref', 'subject_type', 'subject_id'])(
    'A3: of an event cover %s',
    (field) => {
      expect(toHex(eventDigest({ ...event, [field]: 'changed' }))).not.toBe(toHex(digestOf(storedEvent)));
    },
  );

  it('A3: of an event cover the payload digest, which must be one', () => {
    expect(toHex(eventDigest({ ...event, payload_digest: '0'.repeat(64) }))).not.toBe(toHex(eventDigest(event)));
    for (const wrong of ['', '0'.repeat(63), 'A'.repeat(64), `${'0'.repeat(64)}\n`]) {
      expect(() => eventDigest({ ...event, payload_digest: wrong })).toThrow(/64 lower-case hex/);
    }
  });

  it('A3: of an event cover nothing else, so a column added later does not break old entries', () => {
    const wider = { ...event, seen_by: 'nobody' };
    expect(toHex(eventDigest(wider))).toBe(toHex(eventDigest(event)));
  });

  it('A3: start another chain for another workspace', () => {
    expect(toHex(genesisHash(WORKSPACE))).not.toBe(toHex(genesisHash(OTHER_WORKSPACE)));
  });

  it.each([
    { workspaceId: OTHER_WORKSPACE },
    { seq: 1 },
    { seq: 2 ** 32 },
    { prevHash: new Uint8Array(32).fill(1) },
    { eventDigest: new Uint8Array(32).fill(1) },
    { linkedAt: '2026-11-30T12:00:00.001Z' },
  ])('A3: of an entry cover %p', (change) => {
    expect(toHex(entryHash({ ...entry, ...change }))).not.toBe(toHex(entryHash(entry)));
  });

  it.each([
    { seq: -1 },
    { seq: 0.5 },
    { seq: 2 ** 53 },
    { prevHash: new Uint8Array(31) },
    { eventDigest: new Uint8Array(33) },
    { linkedAt: '2026-11-30T12:00:00.000000Z' },
    { linkedAt: '2026-11-30T12:00:00Z' },
    { linkedAt: '2026-11-30T12:00:00.000+00:00' },
    { linkedAt: '' },
  ])('A3: are not made of %p', (change) => {
    expect(() => entryHash({ ...entry, ...change })).toThrow(TypeError);
  });
});

describe('byte forms', () => {
  it('A3: hex reads back, and has one spelling', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(fromHex(toHex(bytes))).toEqual(bytes);
    expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
    for (const wrong of ['A0', '0', '0g', ' 00', '00\n']) expect(() => fromHex(wrong)).toThrow(TypeError);
  });
});
