import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, projectReference } from '../fields.js';
import { backlogItemObject } from '../objects/backlog-item.js';

export const claimBacklogItem = defineOperation({
  name: 'claim_backlog_item',
  area: 'backlog',
  toolSet: 'core',
  kind: 'mutation',
  title: 'Claim a backlog item',
  summary:
    'Take one ready item for yourself: the most urgent, then the oldest, or the one named. Of many callers at once each gets another one; null when nothing is ready. It is in_progress and yours then; release_backlog_item gives it back.',
  input: z.strictObject({ project: projectReference().optional(), backlog_item_id: id().optional() }),
  output: z.object({ backlog_item: backlogItemObject.nullable() }),
  scope: 'backlog:write',
  errors: ['not_found', 'already_assigned', 'illegal_transition', 'item_final'],
  audits: ['backlog_item.claimed'],
  idempotent: false,
  route: { method: 'POST', path: '/v1/backlog-items/claim' },
});
