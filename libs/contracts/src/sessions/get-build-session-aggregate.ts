import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { count, id } from '../fields.js';
import { listedBacklogItemObject } from '../objects/backlog-item.js';
import { buildSessionObject } from '../objects/build-session.js';
import { commitObject } from '../objects/commit.js';
import { listedDecisionObject } from '../objects/decision.js';
import { projectObject } from '../objects/project.js';
import { pullRequestObject } from '../objects/pull-request.js';
import { usageTotalsObject } from '../objects/usage-totals.js';

/** Up to 50 children, how many there are, and the call that returns the rest. */
const childrenOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    total: count(),
    more: z.object({ operation: z.string(), arguments: z.record(z.string(), z.unknown()) }).nullable(),
  });

const relatedSession = buildSessionObject.pick({
  id: true,
  project_id: true,
  computer: true,
  branch: true,
  actor: true,
  intent: true,
  status: true,
  started_at: true,
  ended_at: true,
  session_history_entry_markdown: true,
});

export const getBuildSessionAggregate = defineOperation({
  name: 'get_build_session_aggregate',
  area: 'sessions',
  toolSet: 'core',
  kind: 'query',
  title: 'Get a build session with all that belongs to it',
  summary:
    'Return a build session with its project, its predecessor and successors, and what it produced: decisions, backlog items, pull requests, commits (50 of each, with the total and the call for more) and usage totals.',
  input: z.strictObject({ build_session_id: id() }),
  output: z.object({
    build_session: buildSessionObject,
    project: projectObject,
    predecessor: relatedSession.nullable(),
    successors: z.array(relatedSession),
    decisions: childrenOf(listedDecisionObject),
    backlog_items: childrenOf(listedBacklogItemObject),
    prs: childrenOf(pullRequestObject),
    commits: childrenOf(commitObject),
    usage: usageTotalsObject.extend({
      without_children: usageTotalsObject.describe('Without the transcripts of sub-agents.'),
    }),
  }),
  scope: 'sessions:read',
  errors: ['not_found'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/build-sessions/{build_session_id}/aggregate' },
});
