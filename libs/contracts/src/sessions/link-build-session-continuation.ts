import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id } from '../fields.js';
import { buildSessionObject } from '../objects/build-session.js';

export const linkBuildSessionContinuation = defineOperation({
  name: 'link_build_session_continuation',
  area: 'sessions',
  toolSet: 'core',
  kind: 'mutation',
  title: 'Link a build session to its predecessor',
  summary:
    'Record which earlier build session this one continues, also across projects. One predecessor each; cycles are refused. An existing link is left as it is: `linked: false`.',
  input: z.strictObject({ build_session_id: id(), predecessor_build_session_id: id() }),
  output: z.object({ build_session: buildSessionObject, linked: z.boolean() }),
  scope: 'sessions:write',
  errors: ['not_found', 'self_link', 'cycle', 'predecessor_conflict', 'session_ended'],
  audits: ['build_session.continuation_linked'],
  idempotent: true,
  route: { method: 'PUT', path: '/v1/build-sessions/{build_session_id}/predecessor' },
});
