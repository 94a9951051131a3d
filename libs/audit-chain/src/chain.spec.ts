import fc from 'fast-check';
import { toHex } from './bytes.js';
import { bitFlipped, digestOf, instant, sampleEvent, WORKSPACE } from './testing/sample-chain.js';
import { emptyHead, linkEvents, type ChainEntry, type LinkableEvent } from './chain.js';
import { genesisHash } from './digests.js';

const events: LinkableEvent[] = Array.from({ length: 30 }, (_, n) => {
  const { event } = sampleEvent(WORKSPACE, n);
  return { eventId: event.event_id, eventDigest: digestOf(event) };
});

/** Comparing byte arrays element by element takes jest seconds. */
const inHex = (entry: ChainEntry) => ({
  ...entry,
  eventDigest: toHex(entry.eventDigest),
  prevHash: toHex(entry.prevHash),
  entryHash: toHex(entry.entryHash),
});

describe('linking', () => {
  it('A2: starts at entry 0 behind the genesis hash', () => {
    expect(emptyHead(WORKSPACE)).toEqual({
      workspaceId: WORKSPACE,
      size: 0,
      headHash: genesisHash(WORKSPACE),
      linkedAt: '',
    });
    const { entries } = linkEvents(emptyHead(WORKSPACE), events.slice(0, 1), instant(0));
    expect(entries).toMatchObject([{ seq: 0, eventId: events[0]?.eventId, prevHash: genesisHash(WORKSPACE) }]);
  });

  it('A2: gives the same entries however the events are cut into batches', () => {
    const whole = linkEvents(emptyHead(WORKSPACE), events, instant(5));
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 30 }), (sizes) => {
        let head = emptyHead(WORKSPACE);
        const entries: ChainEntry[] = [];
        for (const size of [...sizes, events.length]) {
          const batch = events.slice(entries.length, entries.length + size);
          const linked = linkEvents(head, batch, instant(5));
          head = linked.head;
          entries.push(...linked.entries);
        }
        expect(entries.map(inHex)).toEqual(whole.entries.map(inHex));
        expect(head).toEqual(whole.head);
      }),
    );
  });

  it('A2: numbers without gaps and makes each entry follow the one before', () => {
    const { head, entries } = linkEvents(emptyHead(WORKSPACE), events, instant(0));
    expect(entries.map((entry) => entry.seq)).toEqual(events.map((_, n) => n));
    expect(entries.slice(1).map((entry) => entry.prevHash)).toEqual(
      entries.slice(0, -1).map((entry) => entry.entryHash),
    );
    expect(head).toMatchObject({ size: events.length, headHash: entries.at(-1)?.entryHash, linkedAt: instant(0) });
  });

  it('A3: never goes back in time when the clock does', () => {
    const first = linkEvents(emptyHead(WORKSPACE), events.slice(0, 2), instant(100));
    const second = linkEvents(first.head, events.slice(2, 4), instant(40));
    const third = linkEvents(second.head, events.slice(4, 6), instant(101));
    expect(second.entries.map((entry) => entry.linkedAt)).toEqual([instant(100), instant(100)]);
    expect(third.head.linkedAt).toBe(instant(101));
  });

  it('A2: without events leaves the head as it is, its time too', () => {
    const { head } = linkEvents(emptyHead(WORKSPACE), events.slice(0, 2), instant(1));
    expect(linkEvents(head, [], instant(50))).toEqual({ head, entries: [] });
  });

  it('A3: another event anywhere changes every hash behind it and none before', () => {
    const whole = linkEvents(emptyHead(WORKSPACE), events, instant(0)).entries;
    const changed = events.map((event, n) =>
      n === 11 ? { ...event, eventDigest: bitFlipped(event.eventDigest) } : event,
    );
    const other = linkEvents(emptyHead(WORKSPACE), changed, instant(0)).entries;
    const differing = whole.filter(
      (entry, n) => Buffer.compare(entry.entryHash, other[n]?.entryHash ?? new Uint8Array()) !== 0,
    );
    expect(differing.map((entry) => entry.seq)).toEqual(Array.from({ length: 19 }, (_, n) => n + 11));
  });

  it.each(['2026-11-30T12:00:00.000000Z', '2026-11-30 12:00:00.000Z', 'now'])('A3: refuses %s as the time', (now) => {
    expect(() => linkEvents(emptyHead(WORKSPACE), events, now)).toThrow(TypeError);
  });
});
