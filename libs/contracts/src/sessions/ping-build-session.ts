import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, instant } from '../fields.js';

export const pingBuildSession = defineOperation({
  name: 'ping_build_session',
  area: 'sessions',
  toolSet: 'core',
  kind: 'mutation',
  title: 'Ping a build session',
  summary:
    'Say that the session is alive. Never moves the last ping backwards. On an ended session it changes nothing and answers `pinged: false`.',
  input: z.strictObject({ build_session_id: id() }),
  output: z.object({ build_session_id: id(), last_pinged_at: instant(), pinged: z.boolean() }),
  scope: 'sessions:write',
  errors: ['not_found'],
  audits: [],
  unauditedBecause: 'a sign of life, many an hour, that decides nothing (S7)',
  idempotent: true,
  route: { method: 'POST', path: '/v1/build-sessions/{build_session_id}/ping' },
});
