import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { commitSha, id, LIMITS, markdown, uniqueArray } from '../fields.js';
import { buildSessionObject } from '../objects/build-session.js';
import { pullRequestInput } from './record-build-session-prs.js';

export const endBuildSession = defineOperation({
  name: 'end_build_session',
  area: 'sessions',
  toolSet: 'core',
  kind: 'mutation',
  title: 'End a build session',
  summary:
    'Close the session with a history entry: what was done, what was not, what comes next. Stamps the pull requests and commits given. Ending again returns the session unchanged with `ended: false`.',
  input: z.strictObject({
    build_session_id: id(),
    session_history_entry_markdown: markdown(),
    related_prs: z
      .array(pullRequestInput.omit({ title: true }))
      .max(LIMITS.array)
      .optional(),
    related_commit_shas: uniqueArray(commitSha()).optional(),
  }),
  output: z.object({ build_session: buildSessionObject, ended: z.boolean() }),
  scope: 'sessions:write',
  errors: ['not_found', 'pr_url_unrecognised', 'issue_url_unrecognised', 'secret_detected'],
  audits: ['build_session.ended'],
  idempotent: true,
  route: { method: 'POST', path: '/v1/build-sessions/{build_session_id}/end' },
});
