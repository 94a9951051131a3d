import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { count, id, LIMITS, title, url } from '../fields.js';
import { pullRequestObject } from '../objects/pull-request.js';

/** A pull request as an argument: everything about it is read off its url. */
export const pullRequestInput = z.strictObject({
  url: url(),
  linked_issue_url: url().optional(),
  title: title().optional(),
});

export const recordBuildSessionPrs = defineOperation({
  name: 'record_build_session_prs',
  area: 'sessions',
  toolSet: 'core',
  kind: 'mutation',
  title: 'Record pull requests',
  summary:
    'Record pull requests of a session at the moment they are opened (GitHub, GitLab, Bitbucket, Azure DevOps, Gitea, by their urls), with the issue each is linked to. The same pull request twice is one row. Works after the end too.',
  input: z.strictObject({ build_session_id: id(), prs: z.array(pullRequestInput).min(1).max(LIMITS.array) }),
  output: z.object({ prs: z.array(pullRequestObject), added: count() }),
  scope: 'sessions:write',
  errors: ['not_found', 'pr_url_unrecognised', 'issue_url_unrecognised', 'secret_detected'],
  audits: ['build_session.prs_recorded'],
  idempotent: true,
  route: { method: 'POST', path: '/v1/build-sessions/{build_session_id}/prs', creates: (output) => output.added > 0 },
});
