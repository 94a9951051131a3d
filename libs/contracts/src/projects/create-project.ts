import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { attributes, line, slug, uniqueArray, url } from '../fields.js';
import { projectObject } from '../objects/project.js';

export const createProject = defineOperation({
  name: 'create_project',
  area: 'projects',
  toolSet: 'core',
  kind: 'mutation',
  title: 'Create a project',
  summary:
    'Create a project: the home of build sessions, decisions and backlog items of one code base. Look with list_projects first; the slug is made from the name unless given.',
  input: z.strictObject({
    name: line(),
    slug: slug().optional(),
    repository_urls: uniqueArray(url(), 20).optional(),
    attributes: attributes().optional(),
  }),
  output: z.object({ project: projectObject }),
  scope: 'projects:write',
  errors: ['slug_taken', 'secret_detected'],
  audits: ['project.created'],
  idempotent: false,
  route: { method: 'POST', path: '/v1/projects', creates: () => true },
});
