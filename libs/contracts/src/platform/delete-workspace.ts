import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, workspaceReference } from '../fields.js';
import { workspaceObject } from '../objects/workspace.js';

export const deleteWorkspace = defineOperation({
  name: 'delete_workspace',
  area: 'platform',
  toolSet: 'platform',
  kind: 'mutation',
  title: 'Delete a workspace',
  summary:
    'Schedule the deletion of a workspace with everything in it, after grace_days (default 30, 0 for the next sweep). Until then it can be read, and resume_workspace keeps it. Its final head is written on the chain of the installation. Calling again with grace_days sets the date anew.',
  input: z.strictObject({
    workspace: workspaceReference(),
    reason: line(),
    grace_days: z.int().min(0).max(365).optional(),
  }),
  output: z.object({ workspace: workspaceObject }),
  scope: 'platform:admin',
  errors: ['not_found', 'secret_detected'],
  audits: ['workspace.deletion_scheduled', 'workspace.deleted'],
  idempotent: true,
  destructive: true,
  route: { method: 'POST', path: '/v1/workspaces/{workspace}/delete' },
});
