import type { BenchCluster } from './bench-cluster.js';
import type { RoundPlan } from './rounds.js';

/** What every measurement is given. */
export interface BenchContext {
  readonly cluster: BenchCluster;
  readonly plan: RoundPlan;
  /** How much is stored or preloaded, as a share of the full size: 1, or little to try the bench itself. */
  readonly size: number;
}
