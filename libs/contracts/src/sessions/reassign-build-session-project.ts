import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, projectReference } from '../fields.js';
import { buildSessionObject } from '../objects/build-session.js';

export const reassignBuildSessionProject = defineOperation({
  name: 'reassign_build_session_project',
  area: 'sessions',
  toolSet: 'sessions',
  kind: 'mutation',
  title: 'Move a build session to another project',
  summary:
    'Move a session, active or ended, to another project of the workspace. Its decisions and backlog items stay where they are. Refused when an active session with the same key stands there.',
  input: z.strictObject({ build_session_id: id(), project: projectReference() }),
  output: z.object({ build_session: buildSessionObject }),
  scope: 'sessions:write',
  errors: ['not_found', 'session_conflict'],
  audits: ['build_session.project_reassigned'],
  idempotent: true,
  route: { method: 'PUT', path: '/v1/build-sessions/{build_session_id}/project' },
});
