import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { count } from '../fields.js';
import { usageRange } from './usage-range.js';

/** Rows of an export that has to fit an answer; REST streams them all. */
export const INLINE_USAGE_ROWS = 500;

export const USAGE_EXPORT_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

export const exportUsage = defineOperation({
  name: 'export_usage',
  area: 'usage',
  toolSet: 'usage',
  kind: 'query',
  title: 'Export token usage',
  summary: `Return every row of the usage of a range, by transcript, model and day in UTC, as CSV or NDJSON. REST streams all of it; elsewhere the answer holds the first ${INLINE_USAGE_ROWS} rows, and \`complete\` says whether these are all.`,
  input: z.strictObject({ ...usageRange, format: z.enum(['csv', 'ndjson']) }),
  output: z.object({
    content: z.string().nullable().describe('The rows as text.'),
    rows: count(),
    complete: z.boolean(),
  }),
  scope: 'usage:read',
  errors: [],
  audits: [],
  idempotent: true,
  route: {
    method: 'GET',
    path: '/v1/usage/export',
    download: { mediaType: USAGE_EXPORT_TYPES.ndjson, inline: 'content' },
  },
});
