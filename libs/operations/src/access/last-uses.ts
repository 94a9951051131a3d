import { touchCredentials } from '@perdure/store';
import type { DataSource } from 'typeorm';
import { LeastRecentlyUsed } from './least-recently-used.js';

/** A last use is told to the minute. */
const RESOLUTION_MS = 60_000;
/** Uses wait this long for others to be written with them, all in one statement. */
const GATHER_MS = 5_000;
const REMEMBERED = 10_000;

interface Options {
  readonly dataSource: DataSource;
  readonly onError: (error: unknown) => void;
}

/** When credentials were last used: one write per credential and minute, apart from the requests and never failing one. */
export class LastUses {
  private pending = new Map<string, Date>();
  private readonly written = new LeastRecentlyUsed<string, number>(REMEMBERED);
  private timer: NodeJS.Timeout | null = null;
  private flushing: Promise<void> = Promise.resolve();

  constructor(private readonly options: Options) {}

  note(credentialId: string, at: Date): void {
    const before = this.written.get(credentialId);
    if (before !== undefined && at.getTime() - before < RESOLUTION_MS) return;
    this.written.set(credentialId, at.getTime());
    this.pending.set(credentialId, at);
    // A process that has nothing else to do may end; `flush` is for it.
    this.timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref();
  }

  /** Writes what is waiting. Never rejects: a last use that is lost is made up by the next. */
  flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.flushing = this.flushing.then(() => this.write());
    return this.flushing;
  }

  private async write(): Promise<void> {
    const uses = this.pending;
    if (uses.size === 0) return;
    this.pending = new Map();
    try {
      await touchCredentials(this.options.dataSource, uses);
    } catch (error) {
      for (const id of uses.keys()) this.written.delete(id);
      this.options.onError(error);
    }
  }
}
