/** A limit counts requests a minute. */
export const WINDOW_MS = 60_000;

/** What this process knows of one shared counter, and what the store does not know yet. */
export class Counter {
  unsettled = 0;
  underWay: Promise<void> | null = null;
  timer: NodeJS.Timeout | undefined;
  /** Whether the store has said when this minute ends. */
  isSettled = false;
  private total = 0;
  private sent = 0;
  private endsAt = performance.now() + WINDOW_MS;

  constructor(readonly key: string) {}

  /** Itself, begun anew when its minute is over. */
  rolled(): this {
    if (performance.now() < this.endsAt) return this;
    this.total = 0;
    this.isSettled = false;
    this.endsAt = performance.now() + WINDOW_MS;
    return this;
  }

  used(): number {
    return this.total + this.outstanding();
  }

  /** What the other processes do not know of. */
  outstanding(): number {
    return this.sent + this.unsettled;
  }

  resetsInMs(): number {
    return Math.max(0, this.endsAt - performance.now());
  }

  /** Hands out what is not settled, to be told to the store. */
  send(): number {
    this.sent = this.unsettled;
    this.unsettled = 0;
    return this.sent;
  }

  settled(total: number, resetsInMs: number): void {
    this.sent = 0;
    this.total = total;
    this.isSettled = true;
    this.endsAt = performance.now() + resetsInMs;
  }

  /** The store took no notice: at least this process does. */
  keptHere(count: number): void {
    this.sent = 0;
    this.total += count;
  }
}
