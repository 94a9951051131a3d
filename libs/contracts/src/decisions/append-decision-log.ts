import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { date, id, markdown, paths, projectReference, tags, title } from '../fields.js';
import { DECISION_KINDS, decisionObject } from '../objects/decision.js';
import { LINKED_BY } from '../objects/source.js';

/** An open session of the same actor that was not taken. */
const otherOpenSession = z.object({ id: id(), project_id: id(), computer: z.string(), branch: z.string() });

export const appendDecisionLog = defineOperation({
  name: 'append_decision_log',
  area: 'decisions',
  toolSet: 'core',
  kind: 'mutation',
  title: 'Append a decision',
  summary:
    'Record a decision the moment it is made: what and why (markdown), its logical date, whether it changes a public contract. kind `dead_end` records what was tried and ruled out. Linked to your open build session and its project unless you say otherwise. Entries are never edited; correct_decision_log supersedes one.',
  input: z.strictObject({
    title: title(),
    rationale_markdown: markdown(),
    decided_on: date(),
    changes_public_contract: z.boolean(),
    kind: z.enum(DECISION_KINDS).optional(),
    project: projectReference().optional(),
    build_session_id: id().optional(),
    tags: tags().optional(),
    paths: paths().optional(),
  }),
  output: z.object({
    decision: decisionObject,
    linked_by: z.enum(LINKED_BY),
    other_open_sessions: z.array(otherOpenSession),
  }),
  scope: 'decisions:write',
  errors: ['project_required', 'not_found', 'secret_detected'],
  audits: ['decision.appended'],
  idempotent: false,
  route: { method: 'POST', path: '/v1/decision-log', creates: () => true },
});
