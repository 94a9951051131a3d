import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { commitSha, id, markdown, url } from '../fields.js';
import { BACKLOG_STATUSES, backlogItemObject } from '../objects/backlog-item.js';

export const triageBacklogItem = defineOperation({
  name: 'triage_backlog_item',
  area: 'backlog',
  toolSet: 'core',
  kind: 'mutation',
  title: 'Move a backlog item',
  summary:
    'Move an item along: open, triaged, in_progress, then resolved or dismissed; any open one may go straight to an end. Resolving needs closing_pr_url, closing_commit_sha or closing_notes; dismissing needs dismissal_reason. Both are final.',
  input: z.strictObject({
    backlog_item_id: id(),
    status: z.enum(BACKLOG_STATUSES),
    closing_pr_url: url().optional(),
    closing_commit_sha: commitSha().optional(),
    closing_notes: markdown().optional(),
    dismissal_reason: markdown().optional(),
  }),
  output: z.object({ backlog_item: backlogItemObject }),
  scope: 'backlog:write',
  errors: [
    'not_found',
    'closing_evidence_required',
    'dismissal_reason_required',
    'illegal_transition',
    'item_final',
    'pr_url_unrecognised',
    'secret_detected',
  ],
  audits: ['backlog_item.triaged', 'backlog_item.started', 'backlog_item.resolved', 'backlog_item.dismissed'],
  idempotent: true,
  route: { method: 'POST', path: '/v1/backlog-items/{backlog_item_id}/triage' },
});
