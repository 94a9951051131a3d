import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, pageInput, pageOf } from '../fields.js';
import { listedWorkspaceObject, WORKSPACE_STATUSES } from '../objects/workspace.js';

export const listWorkspaces = defineOperation({
  name: 'list_workspaces',
  area: 'platform',
  toolSet: 'platform',
  kind: 'query',
  title: 'List workspaces',
  summary:
    'List the workspaces of the installation by name, with how much is in each and its quota, never with contents. `search` looks in name and slug.',
  input: z.strictObject({ search: line().optional(), status: z.enum(WORKSPACE_STATUSES).optional(), ...pageInput }),
  output: pageOf(listedWorkspaceObject),
  scope: 'platform:admin',
  errors: ['invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/workspaces' },
});
