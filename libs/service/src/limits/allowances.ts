import { Counter, WINDOW_MS } from './counter.js';

/** Counters that all processes share: one minute each, from the first addition on. */
export interface SharedCounts {
  /** The sum in the running minute and how long that still lasts. Rejects when the store does not answer. */
  add(key: string, count: number): Promise<{ readonly total: number; readonly resetsInMs: number }>;
}

/** One limit that a request falls under. */
export interface Demand {
  /** For headers and refusals: a closed set, never an id. */
  readonly name: 'credential' | 'workspace' | 'address';
  readonly key: string;
  /** Requests a minute. */
  readonly limit: number;
}

/** How much is left of one limit. */
export interface Standing {
  readonly demand: Demand;
  readonly remaining: number;
  readonly resetsInMs: number;
}

export interface Taken {
  readonly standings: readonly Standing[];
  /** The limit that stands longest in the way; null when the request may pass. */
  readonly refusedBy: Standing | null;
}

interface Options {
  readonly counts: SharedCounts;
  /** Told at most once a minute while the shared counters do not answer, with how many failures there were since. */
  readonly onAway: (error: unknown, failures: number) => void;
}

/** What a process may take of a limit before the others know of it: a twentieth. */
const BLOCKS = 20;
/** Until so long, requests wait for others to be settled with them. */
const GATHER_MS = 100;
const ANSWER_MS = 500;
const ASK_AGAIN_MS = 1_000;
const SAY_AGAIN_MS = 60_000;
/** Some 200 bytes each; a counter that was dropped is learnt again from the store. */
const KEPT = 20_000;

const blockOf = (limit: number): number => Math.max(1, Math.ceil(limit / BLOCKS));

interface Claim {
  readonly demand: Demand;
  readonly counter: Counter;
}

/**
 * Limits over all processes without a question per request: each counts for itself and settles with the shared counters
 * in the background, in blocks. While `outstanding` requests are not settled the others do not know of them, and there
 * are never more than a block: over n processes a limit is exceeded by at most (n - 1) blocks. Only when a block is full
 * does a request wait for the store. What is refused is not counted: nobody locks himself out by asking.
 *
 * While the store is away nobody waits, and each process holds to the limits by what it counted itself.
 */
export class Allowances {
  private readonly counters = new Map<string, Counter>();
  private awayUntil = 0;
  private saidAt = -SAY_AGAIN_MS;
  private failures = 0;

  constructor(private readonly options: Options) {}

  /** Takes `cost` of every limit, or nothing when one of them does not hold so much. Never rejects. */
  async take(demands: readonly Demand[], cost = 1): Promise<Taken> {
    const claims = demands.map((demand) => ({ demand, counter: this.counterOf(demand.key) }));
    for (;;) {
      const unsure = claims.find((claim) => this.mustAsk(claim, cost));
      if (unsure === undefined) break;
      await this.settle(unsure.counter);
    }
    const refused = claims.filter(({ demand, counter }) => counter.used() + cost > demand.limit);
    if (refused.length === 0) for (const claim of claims) this.count(claim, cost);
    const standings = claims.map(standingOf);
    return { standings, refusedBy: longest(refused.map(standingOf)) };
  }

  /** Settles what is outstanding, for a process that ends. */
  async flush(): Promise<void> {
    await Promise.all([...this.counters.values()].map((counter) => this.settle(counter)));
  }

  private counterOf(key: string): Counter {
    const known = this.counters.get(key);
    if (known !== undefined) return known.rolled();
    const counter = new Counter(key);
    this.counters.set(key, counter);
    const oldest = this.counters.entries().next().value;
    if (this.counters.size > KEPT && oldest !== undefined) {
      this.counters.delete(oldest[0]);
      void this.settle(oldest[1]);
    }
    return counter;
  }

  /** Whether the answer depends on what only the store knows: a full block, or how long a minute lasts that is used up. */
  private mustAsk({ demand, counter }: Claim, cost: number): boolean {
    if (performance.now() < this.awayUntil || counter.outstanding() === 0) return false;
    if (counter.rolled().used() + cost > demand.limit) return !counter.isSettled;
    return counter.outstanding() + cost > blockOf(demand.limit);
  }

  private count({ demand, counter }: Claim, cost: number): void {
    counter.unsettled += cost;
    if (counter.outstanding() * 2 >= blockOf(demand.limit)) void this.settle(counter);
    else this.settleSoon(counter);
  }

  private settleSoon(counter: Counter): void {
    // A process that has nothing else to do may end.
    counter.timer ??= setTimeout(() => void this.settle(counter), GATHER_MS).unref();
  }

  /** One question at a time for each counter. Never rejects. */
  private settle(counter: Counter): Promise<void> {
    clearTimeout(counter.timer);
    counter.timer = undefined;
    if (counter.underWay !== null) return counter.underWay;
    if (counter.unsettled === 0 || performance.now() < this.awayUntil) return Promise.resolve();
    counter.underWay = this.ask(counter).finally(() => {
      counter.underWay = null;
      if (counter.unsettled > 0) this.settleSoon(counter);
    });
    return counter.underWay;
  }

  private async ask(counter: Counter): Promise<void> {
    const count = counter.send();
    try {
      const { total, resetsInMs } = await inTime(this.options.counts.add(counter.key, count));
      counter.settled(total, Math.min(resetsInMs, WINDOW_MS));
      this.awayUntil = 0;
    } catch (error) {
      counter.keptHere(count);
      this.failed(error);
    }
  }

  private failed(error: unknown): void {
    const now = performance.now();
    this.awayUntil = now + ASK_AGAIN_MS;
    this.failures += 1;
    if (now - this.saidAt < SAY_AGAIN_MS) return;
    this.options.onAway(error, this.failures);
    this.saidAt = now;
    this.failures = 0;
  }
}

const standingOf = ({ demand, counter }: Claim): Standing => ({
  demand,
  remaining: Math.max(0, demand.limit - counter.used()),
  resetsInMs: counter.resetsInMs(),
});

const longest = (standings: readonly Standing[]): Standing | null =>
  standings.reduce<Standing | null>(
    (most, next) => (most !== null && most.resetsInMs >= next.resetsInMs ? most : next),
    null,
  );

async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the counters did not answer within ${ANSWER_MS} ms`)), ANSWER_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
