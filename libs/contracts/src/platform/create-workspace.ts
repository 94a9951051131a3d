import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, slug } from '../fields.js';
import { workspaceObject } from '../objects/workspace.js';

export const createWorkspace = defineOperation({
  name: 'create_workspace',
  area: 'platform',
  toolSet: 'platform',
  kind: 'mutation',
  title: 'Create a workspace',
  summary:
    'Create a workspace with its first credential: `owner_secret` holds every scope of the workspace, belongs to the actor `owner` and is shown once.',
  input: z.strictObject({ name: line(), slug: slug().optional() }),
  output: z.object({ workspace: workspaceObject, owner_secret: z.string().nullable() }),
  scope: 'platform:admin',
  errors: ['slug_taken', 'secret_detected'],
  audits: ['workspace.created'],
  idempotent: false,
  disclosedOnce: ['owner_secret'],
  route: { method: 'POST', path: '/v1/workspaces', creates: () => true },
});
