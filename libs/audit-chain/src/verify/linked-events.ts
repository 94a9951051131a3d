/**
 * Remembers which events were linked where, to find one that is linked twice. Two generations of a million ids keep the
 * memory of a streamed walk below about 200 MB: a second link at most a million entries after the first is always found.
 */
export class LinkedEvents {
  private recent = new Map<string, number>();
  private older = new Map<string, number>();

  constructor(private readonly generation = 1_000_000) {}

  /** The sequence number under which this event was linked before; undefined, and remembered, the first time. */
  linkedBefore(eventId: string, seq: number): number | undefined {
    const earlier = this.recent.get(eventId) ?? this.older.get(eventId);
    if (earlier !== undefined) return earlier;
    if (this.recent.size >= this.generation) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(eventId, seq);
    return undefined;
  }
}
