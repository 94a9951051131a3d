import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, workspaceReference } from '../fields.js';
import { workspaceObject } from '../objects/workspace.js';

export const suspendWorkspace = defineOperation({
  name: 'suspend_workspace',
  area: 'platform',
  toolSet: 'platform',
  kind: 'mutation',
  title: 'Suspend a workspace',
  summary:
    'Stop a workspace: it can be read, and every write is refused with `workspace_suspended` from the answer on. Suspending a suspended one changes nothing.',
  input: z.strictObject({ workspace: workspaceReference(), reason: line() }),
  output: z.object({ workspace: workspaceObject }),
  scope: 'platform:admin',
  errors: ['not_found', 'illegal_transition', 'secret_detected'],
  audits: ['workspace.suspended'],
  idempotent: true,
  destructive: true,
  route: { method: 'POST', path: '/v1/workspaces/{workspace}/suspend' },
});
