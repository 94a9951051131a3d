import { z } from 'zod';
import { count, id, instant } from '../fields.js';

const limit = () => count().nullable();

/** How much a workspace may take; null: no limit. */
const quotaObject = z.object({
  requests_per_minute: limit(),
  stored_bytes: limit(),
  build_sessions: limit(),
  usage_reports_per_day: limit(),
});

export const WORKSPACE_STATUSES = ['active', 'suspended', 'deletion_scheduled'] as const;

export const workspaceObject = z.object({
  id: id(),
  slug: z.string(),
  name: z.string(),
  status: z.enum(WORKSPACE_STATUSES),
  created_at: instant(),
  /** From when on it may be deleted; null unless that is scheduled. */
  delete_after: instant().nullable(),
  quota: quotaObject,
});

export type WorkspaceObject = z.output<typeof workspaceObject>;

/** How much there is in a workspace, as far as its operator is told: numbers, never contents. */
export const listedWorkspaceObject = workspaceObject.extend({
  counts: z.object({
    projects: count(),
    build_sessions: count(),
    active_build_sessions: count(),
    decisions: count(),
    backlog_items: count(),
    rules: count(),
    members: count(),
    credentials: count(),
    stored_bytes: count(),
  }),
});

export type ListedWorkspaceObject = z.output<typeof listedWorkspaceObject>;
