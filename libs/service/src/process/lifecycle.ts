import type { Logger } from 'pino';

interface StopStep {
  name: string;
  stop: () => Promise<unknown> | unknown;
  deadlineMs: number;
}

/** What a process must undo before it ends, in reverse of the order in which it was set up. */
export class Lifecycle {
  private readonly steps: StopStep[] = [];
  private stopping: Promise<boolean> | null = null;

  constructor(private readonly logger: Logger) {}

  /** True from the first moment of stopping on: readiness answers 503 then. */
  get isDraining(): boolean {
    return this.stopping !== null;
  }

  /** Registers right after the thing exists, so that a start that fails half way undoes exactly what was done. */
  onStop(name: string, stop: StopStep['stop'], deadlineMs: number): void {
    this.steps.push({ name, stop, deadlineMs });
  }

  /** Runs the steps once; true when each finished in its time. A step that fails or hangs does not hold up the others. */
  stop(): Promise<boolean> {
    this.stopping ??= this.runSteps();
    return this.stopping;
  }

  private async runSteps(): Promise<boolean> {
    let clean = true;
    // A microtask first: `isDraining` is true before any step runs.
    await Promise.resolve();
    for (const step of this.steps.toReversed()) clean = (await this.runStep(step)) && clean;
    return clean;
  }

  private async runStep({ name, stop, deadlineMs }: StopStep): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`not done after ${deadlineMs} ms`)), deadlineMs);
    });
    try {
      await Promise.race([Promise.resolve().then(stop), late]);
      return true;
    } catch (error) {
      this.logger.error({ err: error, step: name }, 'a step of stopping failed');
      return false;
    } finally {
      clearTimeout(timer);
    }
  }
}
