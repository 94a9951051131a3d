import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { count, id } from '../fields.js';

const STATUSES = ['accepted', 'overwritten', 'unchanged', 'stale_ignored', 'rejected'] as const;

export const getUsageBatch = defineOperation({
  name: 'get_usage_batch',
  area: 'usage',
  toolSet: 'usage',
  kind: 'query',
  title: 'Get a usage batch',
  summary:
    'Return how far a usage batch is and what became of each of its reports, by line. Results are kept for some days after it was applied, its counts for ever.',
  input: z.strictObject({ batch_id: id() }),
  output: z.object({
    batch_id: id(),
    batch_key: z.string(),
    status: z.enum(['received', 'applied']),
    received: count(),
    received_at: z.string(),
    applied_at: z.string().nullable(),
    counts: z.record(z.enum(STATUSES), count()),
    results: z.array(
      z.object({
        line: count(),
        transcript_id: z.string().optional(),
        status: z.enum(STATUSES),
        code: z.string().optional(),
        message: z.string().optional(),
      }),
    ),
    results_deleted_at: z.string().nullable(),
  }),
  scope: 'usage:write',
  alsoScopes: ['usage:read'],
  errors: ['not_found'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/usage-batches/{batch_id}' },
});
