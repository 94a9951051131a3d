import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, markdown, projectReference, title, uniqueArray } from '../fields.js';
import { BACKLOG_CATEGORIES, BACKLOG_PRIORITIES, backlogItemObject } from '../objects/backlog-item.js';
import { LINKED_BY } from '../objects/source.js';

export const fileBacklogItem = defineOperation({
  name: 'file_backlog_item',
  area: 'backlog',
  toolSet: 'core',
  kind: 'mutation',
  title: 'File a backlog item',
  summary:
    'File what should be done later: a bug seen, a debt, a question. It belongs to your open build session and its project unless you say otherwise. `blocked_by` names items that must be closed first.',
  input: z.strictObject({
    title: title(),
    body_markdown: markdown(),
    priority: z.enum(BACKLOG_PRIORITIES),
    category: z.enum(BACKLOG_CATEGORIES),
    project: projectReference().optional(),
    build_session_id: id().optional(),
    blocked_by: uniqueArray(id()).optional(),
  }),
  output: z.object({ backlog_item: backlogItemObject, linked_by: z.enum(LINKED_BY) }),
  scope: 'backlog:write',
  errors: ['project_required', 'not_found', 'secret_detected'],
  audits: ['backlog_item.filed'],
  idempotent: false,
  route: { method: 'POST', path: '/v1/backlog-items', creates: () => true },
});
