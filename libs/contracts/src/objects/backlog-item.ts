import { z } from 'zod';
import { id, instant } from '../fields.js';
import { actorObject } from './actor.js';

export const BACKLOG_PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const;
export const BACKLOG_CATEGORIES = ['bug', 'feature', 'debt', 'docs', 'test', 'security', 'chore', 'question'] as const;
export const BACKLOG_STATUSES = ['open', 'triaged', 'in_progress', 'resolved', 'dismissed'] as const;

export type BacklogStatus = (typeof BACKLOG_STATUSES)[number];

export const backlogItemObject = z.object({
  id: id(),
  project_id: id(),
  build_session_id: id().nullable(),
  /** Who filed it. */
  actor: actorObject,
  title: z.string(),
  body_markdown: z.string(),
  priority: z.enum(BACKLOG_PRIORITIES),
  category: z.enum(BACKLOG_CATEGORIES),
  status: z.enum(BACKLOG_STATUSES),
  assignee: z.string().nullable(),
  blocked_by: z.array(id()),
  closing_pr_url: z.string().nullable(),
  closing_commit_sha: z.string().nullable(),
  closing_notes: z.string().nullable(),
  dismissal_reason: z.string().nullable(),
  filed_at: instant(),
  closed_at: instant().nullable(),
});

export type BacklogItemObject = z.output<typeof backlogItemObject>;

/** Lists carry no bodies (DESIGN §8). */
export const listedBacklogItemObject = backlogItemObject.omit({ body_markdown: true });
