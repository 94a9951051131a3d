import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { count, id, title } from '../fields.js';
import { usageReport } from '../objects/usage-transcript.js';

/** U3: the most reports of one batch, and the most bytes, counted as they are after unpacking. */
export const USAGE_BATCH_LIMITS = { reports: 10_000, bytes: 16 * 1024 * 1024 } as const;

export const submitUsageBatch = defineOperation({
  name: 'submit_usage_batch',
  area: 'usage',
  toolSet: 'usage',
  kind: 'mutation',
  title: 'Submit a usage batch',
  summary:
    'Hand in up to 10,000 usage reports to be applied soon; they are safe when this answers. The same batch_key twice is one batch. A bad report is rejected by its line while the others are taken: read the results with get_usage_batch.',
  input: z.strictObject({
    batch_key: title().describe('Yours: send the same one when you send the batch again.'),
    reports: z.array(usageReport).max(USAGE_BATCH_LIMITS.reports),
  }),
  itemwise: { argument: 'reports', max: USAGE_BATCH_LIMITS.reports },
  output: z.object({
    batch_id: id(),
    status: z.enum(['received', 'applied']),
    received: count().describe('Reports, rejected ones included.'),
  }),
  scope: 'usage:write',
  errors: ['too_large', 'rate_limited', 'quota_exceeded', 'secret_detected'],
  audits: [],
  unauditedBecause: 'Self-reported counters that every further report replaces (U1).',
  idempotent: true,
  wakes: 'usage_ingest',
  route: {
    method: 'POST',
    path: '/v1/usage-batches',
    accepted: true,
    bodyLimitBytes: USAGE_BATCH_LIMITS.bytes,
    lines: { argument: 'reports', keyArgument: 'batch_key' },
  },
});
