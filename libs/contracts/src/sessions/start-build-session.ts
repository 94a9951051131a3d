import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, markdown, projectReference } from '../fields.js';
import { buildSessionObject, otherSessionObject } from '../objects/build-session.js';

export const startBuildSession = defineOperation({
  name: 'start_build_session',
  area: 'sessions',
  toolSet: 'core',
  kind: 'mutation',
  title: 'Start or resume a build session',
  summary:
    'Call first. Resumes your active build session for this project, computer and branch, or creates one. The answer holds the current state (read its lead first) and the other active sessions of the project. `resumed` says which it was.',
  input: z.strictObject({
    project: projectReference(),
    computer: line(),
    branch: line(),
    worktree: line().optional(),
    intent: line().optional(),
    notes: markdown().optional(),
    client_name: line().optional(),
    client_version: line().optional(),
    source: z.enum(['startup', 'resume', 'clear', 'compact']).optional(),
  }),
  output: z.object({
    build_session: buildSessionObject,
    resumed: z.boolean(),
    other_active_sessions: z.array(otherSessionObject),
  }),
  scope: 'sessions:write',
  errors: ['not_found', 'quota_exceeded', 'secret_detected'],
  audits: ['build_session.started'],
  idempotent: true,
  route: { method: 'POST', path: '/v1/build-sessions', creates: (output) => !output.resumed },
});
