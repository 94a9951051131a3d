import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id } from '../fields.js';
import { buildSessionObject } from '../objects/build-session.js';

export const getBuildSession = defineOperation({
  name: 'get_build_session',
  area: 'sessions',
  toolSet: 'sessions',
  kind: 'query',
  title: 'Get a build session',
  summary: 'Return one build session whole.',
  input: z.strictObject({ build_session_id: id() }),
  output: z.object({ build_session: buildSessionObject }),
  scope: 'sessions:read',
  errors: ['not_found'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/build-sessions/{build_session_id}' },
});
