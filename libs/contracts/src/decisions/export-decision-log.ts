import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { projectReference } from '../fields.js';

export const exportDecisionLog = defineOperation({
  name: 'export_decision_log',
  area: 'decisions',
  toolSet: 'decisions',
  kind: 'query',
  title: 'Export the decision log',
  summary: 'Return the whole log, superseded entries included, as NDJSON or as Markdown ADR files in MADR form.',
  input: z.strictObject({ project: projectReference().optional(), format: z.enum(['ndjson', 'madr']) }),
  output: z.object({ files: z.array(z.object({ path: z.string(), content: z.string() })) }),
  scope: 'decisions:read',
  errors: ['not_found'],
  audits: [],
  idempotent: true,
  route: {
    method: 'GET',
    path: '/v1/decision-log/export',
    stream: {
      mediaType: 'application/x-ndjson',
      // The log itself, one entry a line; of MADR files one file a line.
      lines: ({ files }) =>
        files.map((file) => (file.path.endsWith('.ndjson') ? file.content : `${JSON.stringify(file)}\n`)),
    },
  },
});
