import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, line, pageInput, pageOf, projectReference } from '../fields.js';
import {
  BACKLOG_CATEGORIES,
  BACKLOG_PRIORITIES,
  BACKLOG_STATUSES,
  listedBacklogItemObject,
} from '../objects/backlog-item.js';

export const listBacklogItems = defineOperation({
  name: 'list_backlog_items',
  area: 'backlog',
  toolSet: 'core',
  kind: 'query',
  title: 'List backlog items',
  summary:
    'List items without their bodies, newest first. Filter by project, status, priority, category, assignee, build session or text.',
  input: z.strictObject({
    project: projectReference().optional(),
    status: z.enum(BACKLOG_STATUSES).optional(),
    priority: z.enum(BACKLOG_PRIORITIES).optional(),
    category: z.enum(BACKLOG_CATEGORIES).optional(),
    assignee: line().optional(),
    build_session_id: id().optional(),
    search: line().optional(),
    ...pageInput,
  }),
  output: pageOf(listedBacklogItemObject),
  scope: 'backlog:read',
  errors: ['not_found', 'invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/backlog-items' },
});
