import type { Metrics } from '@perdure/service';

/** What the writer counts; no label holds a workspace. */
export function writerMetrics(metrics: Metrics) {
  return {
    linked: metrics.counter({ name: 'audit_chain_linked_total', help: 'Events linked into a chain.' }),
    quarantined: metrics.counter({
      name: 'audit_chain_quarantined_total',
      help: 'Events that no longer had the digest they were committed with. Alert on any increase.',
    }),
    blockedWorkspaces: metrics.gauge({
      name: 'audit_chain_blocked_workspaces',
      help: 'Workspaces whose chain cannot be continued. Alert above zero.',
    }),
    lagSeconds: metrics.gauge({
      name: 'audit_chain_lag_seconds',
      help: 'Age of the oldest event that waits to be linked.',
    }),
    batchSeconds: metrics.histogram(
      { name: 'audit_chain_batch_seconds', help: 'Duration of one batch, an empty one included.' },
      { buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15] },
    ),
  };
}

export type WriterMetrics = ReturnType<typeof writerMetrics>;
