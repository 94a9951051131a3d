import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { attributes, line, projectReference, uniqueArray, url } from '../fields.js';
import { projectObject } from '../objects/project.js';

export const updateProject = defineOperation({
  name: 'update_project',
  area: 'projects',
  toolSet: 'projects',
  kind: 'mutation',
  title: 'Update a project',
  summary: 'Change the name, the repository urls or the attributes of a project. What is given replaces what was.',
  input: z.strictObject({
    project: projectReference(),
    name: line().optional(),
    repository_urls: uniqueArray(url(), 20).optional(),
    attributes: attributes().optional(),
  }),
  output: z.object({ project: projectObject }),
  scope: 'projects:write',
  errors: ['not_found', 'secret_detected'],
  audits: ['project.updated'],
  idempotent: true,
  route: { method: 'PATCH', path: '/v1/projects/{project}' },
});
