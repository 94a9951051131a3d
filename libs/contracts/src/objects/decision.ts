import { z } from 'zod';
import { id, instant } from '../fields.js';
import { actorObject } from './actor.js';

export const DECISION_KINDS = ['decision', 'constraint', 'dead_end', 'preference'] as const;

export const decisionObject = z.object({
  id: id(),
  project_id: id(),
  build_session_id: id().nullable(),
  backlog_item_id: id().nullable(),
  actor: actorObject,
  title: z.string(),
  rationale_markdown: z.string(),
  decided_on: z.string(),
  changes_public_contract: z.boolean(),
  kind: z.enum(DECISION_KINDS),
  tags: z.array(z.string()),
  paths: z.array(z.string()),
  supersedes_decision_id: id().nullable(),
  superseded_by_decision_id: id().nullable(),
  appended_at: instant(),
});

export type DecisionObject = z.output<typeof decisionObject>;

/** Lists carry no bodies (DESIGN §8). */
export const listedDecisionObject = decisionObject.omit({ rationale_markdown: true });
