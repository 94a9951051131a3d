import { setTimeout as pause } from 'node:timers/promises';
import type { RunningProcess } from './running.js';

export interface Supervision {
  name: string;
  /** Resolves when the process serves; rejects when it died before. The signal ends the wait early. */
  start: (signal: AbortSignal) => Promise<RunningProcess>;
  /** After each start, the first included. */
  onStarted: (pid: number) => void;
  /** One line for the terminal: it died, it is back. */
  onEvent: (line: string) => void;
  /** It died too often to go on. Called once; nothing is running then. */
  onGivenUp: (reason: Error) => void;
  /** Defaults: 0.5 s doubling to 10 s, given up after 5 deaths within 10 s of their start. */
  firstDelayMs?: number;
  maxDelayMs?: number;
  quickDeathMs?: number;
  maxQuickDeaths?: number;
}

/** A process that is started again when it ends by itself. */
export interface Supervised {
  readonly name: string;
  stop(): Promise<void>;
}

/** Starts the process; rejects when that first start fails. From then on a death is answered with a new start. */
export async function supervise(supervision: Supervision): Promise<Supervised> {
  const supervisor = new Supervisor(supervision);
  await supervisor.startFirst();
  return supervisor;
}

class Supervisor implements Supervised {
  private readonly stopping = new AbortController();
  private running: RunningProcess | null = null;
  private watching: Promise<void> = Promise.resolve();
  private quickDeaths = 0;

  constructor(private readonly supervision: Supervision) {}

  get name(): string {
    return this.supervision.name;
  }

  async startFirst(): Promise<void> {
    this.watching = this.watch(await this.start());
  }

  async stop(): Promise<void> {
    // The end of a detached child keeps no process alive: a caller with nothing else to do would be gone before its services.
    const alive = setInterval(() => undefined, 1_000);
    try {
      this.stopping.abort();
      await this.running?.stop();
      await this.watching;
      // A start that was under way when the signal came has left its process here.
      await this.running?.stop();
    } finally {
      clearInterval(alive);
    }
  }

  private async start(): Promise<RunningProcess> {
    this.running = await this.supervision.start(this.stopping.signal);
    this.supervision.onStarted(this.running.pid);
    return this.running;
  }

  private async watch(first: RunningProcess): Promise<void> {
    let running: RunningProcess | null = first;
    while (running) {
      const since = Date.now();
      await running.exited;
      this.running = null;
      running = await this.replace(Date.now() - since);
    }
  }

  /** A new process in place of one that lived so long; null when stopping or given up. */
  private async replace(livedMs: number): Promise<RunningProcess | null> {
    const { quickDeathMs = 10_000, maxQuickDeaths = 5 } = this.supervision;
    let lived = livedMs;
    let reason = new Error(`${this.name} ended`);
    while (!this.stopping.signal.aborted) {
      this.quickDeaths = lived < quickDeathMs ? this.quickDeaths + 1 : 1;
      if (this.quickDeaths >= maxQuickDeaths) return this.giveUp(reason);
      await this.backOff();
      if (this.stopping.signal.aborted) break;
      try {
        const running = await this.start();
        this.supervision.onEvent(`${this.name} runs again (pid ${running.pid})`);
        return running;
      } catch (error) {
        lived = 0;
        reason = error instanceof Error ? error : new Error(String(error));
      }
    }
    return null;
  }

  private async backOff(): Promise<void> {
    const { firstDelayMs = 500, maxDelayMs = 10_000 } = this.supervision;
    const delay = Math.min(firstDelayMs * 2 ** (this.quickDeaths - 1), maxDelayMs);
    this.supervision.onEvent(`${this.name} ended unexpectedly; starting it again in ${delay / 1000} s`);
    await pause(delay, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private giveUp(reason: Error): null {
    const times = `${this.name} died ${this.quickDeaths} times in a row`;
    this.supervision.onGivenUp(new Error(`${times}; giving up. ${reason.message}`, { cause: reason }));
    return null;
  }
}
