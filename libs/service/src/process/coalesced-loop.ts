export interface CoalescedLoopOptions {
  /** One bounded piece of work. True when there may be more of it: then it runs again at once. */
  pass: () => Promise<boolean>;
  /** Runs without anybody asking, this long after the last run ended. */
  sweepMs: number;
  /** A pass that threw. The loop goes on with the next sweep. */
  onError: (error: unknown) => void;
}

/**
 * Does work when woken and on a timer of its own, never twice at once: however many wake-ups arrive during a run, they
 * cause exactly one more. The timer needs nothing but this process, so a lost wake-up costs `sweepMs` and no work.
 */
export class CoalescedLoop {
  private running: Promise<void> | null = null;
  private wokenMeanwhile = false;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(private readonly options: CoalescedLoopOptions) {}

  /** The first run, and from then on the timer. */
  start(): void {
    this.wake();
  }

  /** Asks for a run. Returns at once. */
  wake(): void {
    if (this.stopped) return;
    if (this.running) {
      this.wokenMeanwhile = true;
      return;
    }
    if (this.timer) clearTimeout(this.timer);
    this.running = this.run().finally(() => this.ended());
  }

  /** No further pass starts; resolves when the one that runs has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      while ((await this.options.pass()) && !this.stopped);
    } catch (error) {
      // Not at once again: the cause, a database that restarts, needs time.
      this.wokenMeanwhile = false;
      this.options.onError(error);
    }
  }

  private ended(): void {
    this.running = null;
    if (this.stopped) return;
    if (this.wokenMeanwhile) {
      this.wokenMeanwhile = false;
      this.wake();
      return;
    }
    this.timer = setTimeout(() => this.wake(), this.options.sweepMs);
  }
}
