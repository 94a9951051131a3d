import { type AccessChange, readAccessChanges } from '@perdure/store';
import type { DataSource } from 'typeorm';

/** From this age on, a request starts the next look at what changed, while it still trusts what is known. */
const LOOK_AGAIN_MS = 400;
/** From this age on nothing cached is trusted: so a change is effective within a second on every process (I2). */
const TRUSTED_MS = 900;

/**
 * What changed about credentials, members and workspaces, for the caches of a process: one query per 400 ms however many
 * requests and credentials there are, and none while there are no requests. It asks over the pool, so there is no
 * connection of its own to be lost unnoticed: while an answer is overdue, caches are not trusted (docs/adr/0013).
 */
export class AccessChanges {
  private seen: string | null = null;
  /** When the last successful look began, on the process's own monotonic clock. */
  private seenAt = Number.NEGATIVE_INFINITY;
  /** A look that began before this process's own last change does not count. */
  private notBefore = Number.NEGATIVE_INFINITY;
  private looking: Promise<void> | null = null;
  private looks = 0;
  private readonly listeners: ((change: AccessChange) => void)[] = [];

  /** @param elapsed milliseconds on a clock that never goes back */
  constructor(
    private readonly dataSource: DataSource,
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  /** Told about every change before `areKnown` next says that all are known. */
  onChange(listener: (change: AccessChange) => void): void {
    this.listeners.push(listener);
  }

  /** Moves on with every look: what was read before one and is stored after it may have missed a change. */
  get generation(): number {
    return this.looks;
  }

  /**
   * Whether every change that was committed a second ago has been told to the listeners; false when Postgres answers too
   * slowly to say so.
   *
   * @throws DomainError `unavailable`
   */
  async areKnown(): Promise<boolean> {
    if (this.age < LOOK_AGAIN_MS) return true;
    const look = this.look();
    if (this.age < TRUSTED_MS) {
      look.catch(() => undefined); // the request that needs the answer will hear of it
      return true;
    }
    await look;
    if (this.age >= TRUSTED_MS) await this.look();
    return this.age < TRUSTED_MS;
  }

  /** The next question asks Postgres first: for a process that has just made a change itself. */
  lookNext(): void {
    this.notBefore = this.elapsed();
    this.seenAt = Number.NEGATIVE_INFINITY;
  }

  private get age(): number {
    return this.elapsed() - this.seenAt;
  }

  private look(): Promise<void> {
    this.looking ??= this.lookOnce().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private async lookOnce(): Promise<void> {
    const begun = this.elapsed();
    const change = await readAccessChanges(this.dataSource, this.seen);
    this.seen = change.seen;
    this.looks += 1;
    for (const listener of this.listeners) listener(change);
    if (begun >= this.notBefore) this.seenAt = begun;
  }
}
