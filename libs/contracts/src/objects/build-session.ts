import { z } from 'zod';
import { id, instant } from '../fields.js';
import { actorObject } from './actor.js';
import { pullRequestObject } from './pull-request.js';
import { usageTotalsObject } from './usage-totals.js';

export const buildSessionObject = z.object({
  id: id(),
  project_id: id(),
  computer: z.string(),
  branch: z.string(),
  actor: actorObject,
  worktree: z.string().nullable(),
  intent: z.string().nullable(),
  notes: z.string().nullable(),
  client_name: z.string().nullable(),
  client_version: z.string().nullable(),
  status: z.enum(['active', 'ended']),
  started_at: instant(),
  last_pinged_at: instant(),
  ended_at: instant().nullable(),
  current_state_markdown: z.string(),
  state_version: z.int(),
  session_history_entry_markdown: z.string().nullable(),
  continues: id().nullable(),
  prs: z.array(pullRequestObject),
  commit_shas: z.array(z.string()),
  usage_totals: usageTotalsObject,
});

export type BuildSessionObject = z.output<typeof buildSessionObject>;

/** Another session of the same project, as S5 shows it: who, where, branch, last ping. */
export const otherSessionObject = buildSessionObject.pick({
  id: true,
  actor: true,
  computer: true,
  branch: true,
  worktree: true,
  intent: true,
  started_at: true,
  last_pinged_at: true,
});
