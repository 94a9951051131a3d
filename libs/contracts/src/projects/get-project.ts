import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { projectReference } from '../fields.js';
import { projectObject } from '../objects/project.js';

export const getProject = defineOperation({
  name: 'get_project',
  area: 'projects',
  toolSet: 'projects',
  kind: 'query',
  title: 'Get a project',
  summary: 'Return one project by its id or slug.',
  input: z.strictObject({ project: projectReference() }),
  output: z.object({ project: projectObject }),
  scope: 'projects:read',
  errors: ['not_found'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/projects/{project}' },
});
