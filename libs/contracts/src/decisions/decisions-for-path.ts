import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, instant, pageInput, pageOf, projectReference, repositoryPath } from '../fields.js';
import { listedDecisionObject } from '../objects/decision.js';

const staleness = z.object({
  commits: z.array(z.object({ sha: z.string(), build_session_id: id(), recorded_at: instant() })),
});

export const decisionsForPath = defineOperation({
  name: 'decisions_for_path',
  area: 'decisions',
  toolSet: 'core',
  kind: 'query',
  title: 'Decisions that touch a path',
  summary:
    'Before changing a file or folder: the decisions that touch it, through their own paths or through commits of the sessions that made them, newest first. Superseded ones are marked; `stale` names later commits that changed the paths of an entry.',
  input: z.strictObject({ project: projectReference(), path: repositoryPath(), ...pageInput }),
  output: pageOf(
    listedDecisionObject.extend({
      matched_by: z.array(z.enum(['paths', 'commits'])),
      stale: staleness.nullable(),
    }),
  ),
  scope: 'decisions:read',
  errors: ['not_found', 'invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/projects/{project}/decisions-for-path' },
});
