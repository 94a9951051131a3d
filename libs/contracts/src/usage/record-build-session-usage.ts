import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, LIMITS } from '../fields.js';
import { usageTotalsObject } from '../objects/usage-totals.js';
import { transcriptId, usageTranscript } from '../objects/usage-transcript.js';

export const recordBuildSessionUsage = defineOperation({
  name: 'record_build_session_usage',
  area: 'usage',
  toolSet: 'core',
  kind: 'mutation',
  title: 'Record token usage',
  summary:
    "Report the token counts of a session's transcripts: always the whole of a transcript, never what was added. Reporting the same transcript id again overwrites when its version is greater and never counts twice. Works after the end too.",
  input: z.strictObject({
    build_session_id: id(),
    transcripts: z.array(usageTranscript).min(1).max(LIMITS.array),
  }),
  output: z.object({
    results: z.array(
      z.object({
        transcript_id: transcriptId(),
        status: z.enum(['accepted', 'overwritten', 'unchanged', 'stale_ignored']),
      }),
    ),
    totals: usageTotalsObject.describe('Of the build session, sub-agents included; self-reported counts, not money.'),
  }),
  scope: 'usage:write',
  errors: ['not_found', 'quota_exceeded', 'secret_detected'],
  audits: [],
  unauditedBecause: 'Self-reported counters that every further report replaces (U1).',
  idempotent: true,
  route: {
    method: 'POST',
    path: '/v1/build-sessions/{build_session_id}/usage',
    creates: (output) => output.results.some(({ status }) => status === 'accepted'),
  },
});
