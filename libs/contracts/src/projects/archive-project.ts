import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, projectReference } from '../fields.js';
import { projectObject } from '../objects/project.js';

export const archiveProject = defineOperation({
  name: 'archive_project',
  area: 'projects',
  toolSet: 'projects',
  kind: 'mutation',
  title: 'Archive a project',
  summary: 'Mark a project as archived, with the reason. Nothing of it is deleted. Archiving again changes nothing.',
  input: z.strictObject({ project: projectReference(), reason: line() }),
  output: z.object({ project: projectObject }),
  scope: 'projects:write',
  errors: ['not_found', 'secret_detected'],
  audits: ['project.archived'],
  idempotent: true,
  route: { method: 'POST', path: '/v1/projects/{project}/archive' },
});
