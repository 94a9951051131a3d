import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, pageInput, pageOf, projectReference } from '../fields.js';
import { buildSessionObject } from '../objects/build-session.js';

export const listBuildSessions = defineOperation({
  name: 'list_build_sessions',
  area: 'sessions',
  toolSet: 'core',
  kind: 'query',
  title: 'List build sessions',
  summary:
    'List whole build sessions, newest first: as many as fit 40,000 characters, at least one. Filter by project, status, actor (name or id), branch, computer, by how long ago they were last pinged, or by text in intent, notes and history.',
  input: z.strictObject({
    project: projectReference().optional(),
    status: z.enum(['active', 'ended']).optional(),
    actor: line().optional(),
    branch: line().optional(),
    computer: line().optional(),
    stale_for_minutes: z.int().min(0).max(5_256_000).optional(),
    search: line().optional(),
    ...pageInput,
  }),
  output: pageOf(buildSessionObject),
  scope: 'sessions:read',
  errors: ['not_found', 'invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/build-sessions' },
});
