import { z } from 'zod';
import { fileBacklogItem } from '../backlog/file-backlog-item.js';
import { appendDecisionLog } from '../decisions/append-decision-log.js';
import { defineOperation } from '../define-operation.js';
import { cappedMarkdown, count, id, LIMITS } from '../fields.js';
import { backlogItemObject } from '../objects/backlog-item.js';
import { decisionObject } from '../objects/decision.js';
import { pullRequestObject } from '../objects/pull-request.js';
import { pullRequestInput } from './record-build-session-prs.js';

/** Decisions, or items, of one checkpoint: what one stretch of work brings. */
const PARTS = 50;

export const checkpointBuildSession = defineOperation({
  name: 'checkpoint_build_session',
  area: 'sessions',
  toolSet: 'core',
  kind: 'mutation',
  title: 'Checkpoint a build session',
  summary:
    'Record in one call what a stretch of work brought: a new lead, decisions, backlog items, pull requests; it pings too. All or nothing. Each part is as in its own operation and belongs to this session unless it says otherwise.',
  input: z.strictObject({
    build_session_id: id(),
    new_lead_markdown: cappedMarkdown().optional(),
    decisions: z.array(appendDecisionLog.input).max(PARTS).optional(),
    backlog_items: z.array(fileBacklogItem.input).max(PARTS).optional(),
    prs: z.array(pullRequestInput).max(LIMITS.array).optional(),
  }),
  output: z.object({
    lead: z.object({ current_state_markdown: z.string(), state_version: z.int(), dropped_leads: count() }).nullable(),
    decisions: z.array(decisionObject),
    backlog_items: z.array(backlogItemObject),
    prs: z.array(pullRequestObject),
  }),
  scope: 'sessions:write',
  errors: [
    'not_found',
    'forbidden_scope',
    'session_ended',
    'state_too_large',
    'pr_url_unrecognised',
    'issue_url_unrecognised',
    'secret_detected',
  ],
  audits: ['decision.appended', 'backlog_item.filed', 'build_session.prs_recorded'],
  idempotent: false,
  route: { method: 'POST', path: '/v1/build-sessions/{build_session_id}/checkpoints', creates: () => true },
});
