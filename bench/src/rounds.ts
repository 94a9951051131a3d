import { median, percentile } from './statistics.js';

/** What one contestant did in one slot. */
export interface Sample {
  readonly perSecond: number;
  /** One per call, in milliseconds. */
  readonly latencies: readonly number[];
}

/** Works for about `ms` milliseconds. */
export type Contestant = (ms: number) => Promise<Sample>;

export interface RoundPlan {
  readonly rounds: number;
  readonly slotMs: number;
}

export interface Comparison {
  /** Medians over the rounds. */
  readonly ours: Summary;
  readonly ceiling: Summary;
  /** Median of the ratios within a round: what slows the machine for a while slows both. */
  readonly ratio: number;
  readonly ratios: readonly number[];
}

export interface Summary {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Slots in turn, A B, B A, A B …, after one short slot each that is not counted. */
export async function compare(ours: Contestant, ceiling: Contestant, plan: RoundPlan): Promise<Comparison> {
  await ours(plan.slotMs / 3);
  await ceiling(plan.slotMs / 3);
  const samples: { ours: Sample[]; ceiling: Sample[] } = { ours: [], ceiling: [] };
  for (let round = 0; round < plan.rounds; round += 1) {
    const order = round % 2 === 0 ? (['ours', 'ceiling'] as const) : (['ceiling', 'ours'] as const);
    for (const who of order) samples[who].push(await (who === 'ours' ? ours : ceiling)(plan.slotMs));
  }
  const ratios = samples.ours.map((sample, round) => sample.perSecond / (samples.ceiling[round]?.perSecond ?? NaN));
  return {
    ours: summaryOf(samples.ours),
    ceiling: summaryOf(samples.ceiling),
    ratio: median(ratios),
    ratios,
  };
}

export function summaryOf(samples: readonly Sample[]): Summary {
  const latencies = samples.flatMap((sample) => sample.latencies);
  return {
    perSecond: median(samples.map((sample) => sample.perSecond)),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  };
}

/** `workers` callers, each with one call open at a time, until the time is up; calls under way are waited for. */
export async function closedLoop(
  workers: number,
  ms: number,
  call: (worker: number) => Promise<void>,
): Promise<Sample> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const work = async (worker: number) => {
    while (performance.now() - startedAt < ms) {
      const calledAt = performance.now();
      await call(worker);
      latencies.push(performance.now() - calledAt);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return { perSecond: (latencies.length * 1000) / (performance.now() - startedAt), latencies };
}

/**
 * Calls at a fixed rate whether or not earlier ones have answered, as independent agents do; at most `mostOpen` at
 * once, so that a server that falls behind is seen as late and not as an ever longer queue.
 */
export async function openLoop(
  perSecond: number,
  ms: number,
  mostOpen: number,
  call: (worker: number) => Promise<void>,
): Promise<Sample> {
  const total = Math.floor((perSecond * ms) / 1000);
  const startedAt = performance.now();
  const latencies: number[] = [];
  let next = 0;
  const work = async (worker: number) => {
    for (let turn = next++; turn < total; turn = next++) {
      const dueAt = startedAt + (turn * 1000) / perSecond;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
      await call(worker);
      latencies.push(performance.now() - dueAt);
    }
  };
  await Promise.all(Array.from({ length: mostOpen }, (_, worker) => work(worker)));
  return { perSecond: (latencies.length * 1000) / (performance.now() - startedAt), latencies };
}
