import type { CheckOutcome } from '@perdure/service';
import type { Pool } from 'pg';

/** Past this the writer does not do its work, whatever it thinks of itself. Normal is well under a second. */
const STUCK_MS = 30_000;

interface OldestEvent {
  key: string;
  ageSeconds: number;
  /** When this process first saw it as the oldest, on its own clock. */
  seenAt: number;
}

/**
 * How long events wait. Liveness comes from here and from nothing else: neither a running loop nor an answering queue
 * says that events get linked. It is judged by an event that this very process has seen waiting for too long, so
 * neither a fresh start nor the end of a database outage, with their old backlogs, looks like a stuck writer.
 */
export class Backlog {
  private oldest: OldestEvent | null = null;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Asks the database; a failure forgets what was seen and is thrown. */
  async measure(pool: Pool, except: ReadonlySet<string>): Promise<void> {
    try {
      const { rows } = await pool.query<{ key: string; age: number }>(
        `SELECT workspace_id || '/' || id AS key, extract(epoch FROM clock_timestamp() - enqueued_at)::float8 AS age
         FROM audit_pending WHERE workspace_id <> ALL ($1::text[]) ORDER BY enqueued_at LIMIT 1`,
        [[...except]],
      );
      this.saw(rows[0]);
    } catch (error) {
      this.oldest = null;
      throw error;
    }
  }

  /** Seconds the oldest event has waited when it was last measured; 0 when none waits. */
  get ageSeconds(): number {
    return this.oldest?.ageSeconds ?? 0;
  }

  /** For /healthz: touches nothing. */
  live(): CheckOutcome {
    if (!this.oldest) return { ok: true };
    const watchedMs = this.now() - this.oldest.seenAt;
    if (watchedMs <= STUCK_MS) return { ok: true };
    return { ok: false, detail: `an event has waited ${Math.round(this.ageSeconds)} s to be linked and nothing moves it` };
  }

  private saw(row: { key: string; age: number } | undefined): void {
    if (!row) {
      this.oldest = null;
      return;
    }
    const seenAt = this.oldest?.key === row.key ? this.oldest.seenAt : this.now();
    this.oldest = { key: row.key, ageSeconds: row.age, seenAt };
  }
}
