import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, instant } from '../fields.js';
import { actorObject } from '../objects/actor.js';
import { backlogCommentObject } from '../objects/backlog-comment.js';
import { backlogItemObject, listedBacklogItemObject } from '../objects/backlog-item.js';

export const getBacklogItem = defineOperation({
  name: 'get_backlog_item',
  area: 'backlog',
  toolSet: 'backlog',
  kind: 'query',
  title: 'Get a backlog item',
  summary: 'Return one item whole, with its comments, what blocks it and what happened to it.',
  input: z.strictObject({ backlog_item_id: id() }),
  output: z.object({
    backlog_item: backlogItemObject,
    comments: z.array(backlogCommentObject),
    blockers: z.array(listedBacklogItemObject),
    transitions: z.array(
      z.object({
        type: z.string(),
        actor: actorObject,
        at: instant(),
        details: z.record(z.string(), z.unknown()).nullable(),
      }),
    ),
  }),
  scope: 'backlog:read',
  errors: ['not_found'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/backlog-items/{backlog_item_id}' },
});
