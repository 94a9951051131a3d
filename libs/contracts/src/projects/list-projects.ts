import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, pageInput, pageOf } from '../fields.js';
import { projectObject } from '../objects/project.js';

export const listProjects = defineOperation({
  name: 'list_projects',
  area: 'projects',
  toolSet: 'core',
  kind: 'query',
  title: 'List projects',
  summary: 'List the projects of the workspace by name. `search` keeps those whose name or slug holds the text.',
  input: z.strictObject({ search: line().optional(), ...pageInput }),
  output: pageOf(projectObject),
  scope: 'projects:read',
  errors: ['invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/projects' },
});
