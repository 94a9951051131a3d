import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { count, instantInput, line, pageInput, pageOf } from '../fields.js';
import { auditEntryObject } from '../objects/audit-entry.js';

export const listAuditEvents = defineOperation({
  name: 'list_audit_events',
  area: 'audit',
  toolSet: 'audit',
  kind: 'query',
  title: 'List audit events',
  summary:
    'List the audited events of the workspace in chain order, those still to be linked last (their seq is null). Filter by type, actor (name or id), subject, time or from_seq.',
  input: z.strictObject({
    type: line().optional(),
    actor: line().optional(),
    subject_type: line().optional(),
    subject_id: line().optional(),
    from: instantInput().optional(),
    to: instantInput().optional(),
    from_seq: count().optional(),
    ...pageInput,
  }),
  output: pageOf(auditEntryObject),
  scope: 'audit:read',
  errors: ['invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/audit/events' },
});
