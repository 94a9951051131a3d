import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { pageInput, pageOf, projectReference } from '../fields.js';
import { listedBacklogItemObject } from '../objects/backlog-item.js';

export const listReadyBacklogItems = defineOperation({
  name: 'list_ready_backlog_items',
  area: 'backlog',
  toolSet: 'backlog',
  kind: 'query',
  title: 'List ready backlog items',
  summary: 'What can be started now: open or triaged, nothing open blocks it; most urgent first, then oldest.',
  input: z.strictObject({ project: projectReference().optional(), ...pageInput }),
  output: pageOf(listedBacklogItemObject),
  scope: 'backlog:read',
  errors: ['not_found', 'invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/backlog-items/ready' },
});
