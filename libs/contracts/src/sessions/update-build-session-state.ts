import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { cappedMarkdown, id } from '../fields.js';

export const updateBuildSessionState = defineOperation({
  name: 'update_build_session_state',
  area: 'sessions',
  toolSet: 'sessions',
  kind: 'mutation',
  title: 'Replace the current state',
  summary:
    'Replace the whole current state of a session, for example to condense old leads. Pass if_version (state_version as you read it), so that a lead written meanwhile is not lost: a stale write is refused with the current version.',
  input: z.strictObject({
    build_session_id: id(),
    current_state_markdown: cappedMarkdown(),
    if_version: z.int().min(1).optional(),
  }),
  output: z.object({ build_session_id: id(), state_version: z.int() }),
  scope: 'sessions:write',
  errors: ['not_found', 'session_ended', 'version_conflict', 'state_too_large', 'secret_detected'],
  audits: [],
  unauditedBecause: 'a working note that the next one replaces (S9)',
  idempotent: true,
  destructive: true,
  route: { method: 'PUT', path: '/v1/build-sessions/{build_session_id}/state' },
});
