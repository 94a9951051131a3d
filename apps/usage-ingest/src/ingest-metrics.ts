import type { Metrics } from '@perdure/service';

/** What usage-ingest counts; no label holds a workspace. */
export function ingestMetrics(metrics: Metrics) {
  return {
    reports: metrics.counter<'result'>({ name: 'usage_reports_total', help: 'Reports of batches, by their result.' }, [
      'result',
    ]),
    failedBatches: metrics.gauge({
      name: 'usage_failed_batches',
      help: 'Batches that could not be applied and are tried again. Alert above zero.',
    }),
    lagSeconds: metrics.gauge({
      name: 'usage_batch_lag_seconds',
      help: 'Age of the oldest batch that waits to be applied.',
    }),
    mismatches: metrics.gauge({
      name: 'usage_rollup_mismatches',
      help: 'Slots of totals that are not what the current reports make them, at the last look. Alert above zero.',
    }),
    deletedBatches: metrics.counter({
      name: 'usage_batches_emptied_total',
      help: 'Applied batches whose lines and results were deleted after their days.',
    }),
    batchSeconds: metrics.histogram(
      { name: 'usage_batch_seconds', help: 'Time to apply one batch.' },
      { buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60] },
    ),
  };
}

export type IngestMetrics = ReturnType<typeof ingestMetrics>;
