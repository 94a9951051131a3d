import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { count, id } from '../fields.js';

export const verifyAuditChain = defineOperation({
  name: 'verify_audit_chain',
  area: 'audit',
  toolSet: 'audit',
  kind: 'query',
  title: 'Verify the audit chain',
  summary:
    "Recompute every digest and link of the workspace's audit chain and compare it with what is stored. The first finding names the first bad entry and what is wrong with it. `pending`: events committed but not linked yet.",
  input: z.strictObject({ from_seq: count().optional() }),
  output: z.object({
    ok: z.boolean(),
    size: count(),
    pending: count(),
    root: z.string(),
    segments: z.array(z.object({ from_seq: count(), to_seq: count(), ok: z.boolean() })),
    findings: z.array(
      z.object({
        seq: count().optional(),
        event_id: id().optional(),
        kind: z.string(),
        severity: z.enum(['error', 'warning']),
        message: z.string(),
      }),
    ),
  }),
  scope: 'audit:read',
  errors: [],
  audits: [],
  idempotent: true,
  route: { method: 'POST', path: '/v1/audit/verify' },
});
