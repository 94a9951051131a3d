/** Where a queue fault was seen. `queue` is null for the connection as a whole. */
export interface QueueFault {
  queue: string | null;
  during: 'connect' | 'wake' | 'work';
}

/** Called at most once per outage: a client that is down emits an error per attempt, thousands an hour. */
export type ReportFault = (error: Error, fault: QueueFault) => void;

/** What this library logs when an outage ends. A pino logger fits. */
export interface QueueLogger {
  info(fields: object, message: string): void;
}

/** One stretch of failures is one report. */
export class Outage {
  private down = false;
  private failures = 0;

  constructor(
    private readonly fault: QueueFault,
    private readonly report: ReportFault,
    private readonly logger?: QueueLogger,
  ) {}

  failed(error: unknown): void {
    this.failures += 1;
    if (this.down) return;
    this.down = true;
    // A reporter that throws must not end up in the caller's `wake`.
    try {
      this.report(error instanceof Error ? error : new Error(String(error)), this.fault);
    } catch {
      this.logger?.info({ ...this.fault }, 'the reporter of queue faults failed');
    }
  }

  /** To be taken before an attempt whose success is to end the outage. */
  mark(): number {
    return this.failures;
  }

  /** A success that was under way when the failure came, as its `mark` tells, ends nothing: the next one will. */
  recovered(mark: number = this.failures): void {
    if (!this.down || mark !== this.failures) return;
    this.down = false;
    this.logger?.info({ ...this.fault }, 'queue reachable again');
  }
}
