import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, markdown } from '../fields.js';
import { backlogCommentObject } from '../objects/backlog-comment.js';

export const commentBacklogItem = defineOperation({
  name: 'comment_backlog_item',
  area: 'backlog',
  toolSet: 'backlog',
  kind: 'mutation',
  title: 'Comment on a backlog item',
  summary: 'Add a comment to an item, open or closed.',
  input: z.strictObject({ backlog_item_id: id(), body_markdown: markdown() }),
  output: z.object({ comment: backlogCommentObject }),
  scope: 'backlog:write',
  errors: ['not_found', 'secret_detected'],
  audits: [],
  unauditedBecause: 'a remark that changes nothing of the item',
  idempotent: false,
  route: { method: 'POST', path: '/v1/backlog-items/{backlog_item_id}/comments', creates: () => true },
});
