import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { cappedMarkdown, count, id } from '../fields.js';

export const prependBuildSessionLead = defineOperation({
  name: 'prepend_build_session_lead',
  area: 'sessions',
  toolSet: 'core',
  kind: 'mutation',
  title: 'Put a new lead on the current state',
  summary:
    'Put a new lead on top of the session\'s current state; the prior lead is kept below as "**Earlier:** …". Call it whenever what matters changes: where the work stands, what is next, what is in the way. Sending the current lead again changes nothing.',
  input: z.strictObject({
    build_session_id: id(),
    new_lead_markdown: cappedMarkdown(),
    on_overflow: z.enum(['reject', 'drop_oldest']).optional(),
  }),
  output: z.object({
    build_session_id: id(),
    current_state_markdown: z.string(),
    state_version: z.int(),
    dropped_leads: count(),
  }),
  scope: 'sessions:write',
  errors: ['not_found', 'session_ended', 'state_too_large', 'secret_detected'],
  audits: [],
  unauditedBecause: 'a working note that the next lead replaces (S8)',
  idempotent: true,
  route: { method: 'POST', path: '/v1/build-sessions/{build_session_id}/leads' },
});
