import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, workspaceReference } from '../fields.js';
import { workspaceObject } from '../objects/workspace.js';

export const resumeWorkspace = defineOperation({
  name: 'resume_workspace',
  area: 'platform',
  toolSet: 'platform',
  kind: 'mutation',
  title: 'Resume a workspace',
  summary: 'Let a suspended workspace be written again. One that is about to be deleted is kept with it.',
  input: z.strictObject({ workspace: workspaceReference(), reason: line() }),
  output: z.object({ workspace: workspaceObject }),
  scope: 'platform:admin',
  errors: ['not_found', 'secret_detected'],
  audits: ['workspace.resumed'],
  idempotent: true,

  route: { method: 'POST', path: '/v1/workspaces/{workspace}/resume' },
});
