import { z } from 'zod';
import { count, id, instant } from '../fields.js';
import { actorObject } from './actor.js';
import { BACKLOG_STATUSES } from './backlog-item.js';
import { DECISION_KINDS } from './decision.js';
import { loopLimitsObject, loopWorkObject } from './loop.js';

export const briefSession = z.object({
  id: id(),
  actor: actorObject,
  computer: z.string(),
  branch: z.string(),
  status: z.enum(['active', 'ended']),
  intent: z.string().nullable(),
  last_pinged_at: instant(),
  lead_markdown: z.string().describe('The current lead; of an ended session its history entry.'),
});

export const briefDecision = z.object({
  id: id(),
  kind: z.enum(DECISION_KINDS),
  title: z.string(),
  decided_on: z.string(),
  changes_public_contract: z.boolean(),
  actor: actorObject,
  superseded_by_decision_id: id().nullable(),
  /** Later commits that changed a path of the entry (D7). */
  stale_commits: z.array(z.string()),
});

export const briefLoop = z.object({
  branch: z.string(),
  loop: z.string(),
  work: loopWorkObject,
  no_progress: z.boolean(),
  limits: loopLimitsObject,
});

export const briefSections = z.object({
  sessions: z.array(briefSession),
  constraints: z.array(briefDecision),
  decisions: z.array(briefDecision),
  dead_ends: z.array(briefDecision),
  preferences: z.array(briefDecision),
  /** Null when nothing of it changed since the cursor. */
  backlog: z.record(z.enum(BACKLOG_STATUSES), count()).nullable(),
  loops: z.array(briefLoop),
});

export type BriefSections = z.output<typeof briefSections>;
export type BriefSession = z.output<typeof briefSession>;
export type BriefDecision = z.output<typeof briefDecision>;
export type BriefLoop = z.output<typeof briefLoop>;
