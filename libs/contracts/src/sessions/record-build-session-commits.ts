import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { commitSha, count, id, LIMITS, paths } from '../fields.js';
import { commitObject } from '../objects/commit.js';

export const recordBuildSessionCommits = defineOperation({
  name: 'record_build_session_commits',
  area: 'sessions',
  toolSet: 'sessions',
  kind: 'mutation',
  title: 'Record commits',
  summary:
    'Record commits of a session with the paths they touch, so that decisions can be found by path and go stale when their paths change. The same commit twice is one row. Works after the end too.',
  input: z.strictObject({
    build_session_id: id(),
    commits: z
      .array(z.strictObject({ sha: commitSha(), paths: paths().optional() }))
      .min(1)
      .max(LIMITS.array),
  }),
  output: z.object({ commits: z.array(commitObject), added: count() }),
  scope: 'sessions:write',
  errors: ['not_found', 'secret_detected'],
  audits: ['build_session.commits_recorded'],
  idempotent: true,
  route: {
    method: 'POST',
    path: '/v1/build-sessions/{build_session_id}/commits',
    creates: (output) => output.added > 0,
  },
});
