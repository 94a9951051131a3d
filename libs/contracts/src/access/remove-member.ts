import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, line } from '../fields.js';
import { memberObject } from '../objects/member.js';

export const removeMember = defineOperation({
  name: 'remove_member',
  area: 'access',
  toolSet: 'access',
  kind: 'mutation',
  title: 'Remove a member',
  summary:
    'Take a person out of the workspace, with a reason. Their sessions, their own credentials and those of the MCP clients they approved end within a second; what they wrote stays. The last owner cannot be removed.',
  input: z.strictObject({ member_id: id(), reason: line() }),
  output: z.object({ member: memberObject }),
  scope: 'access:write',
  errors: ['not_found', 'forbidden', 'last_owner', 'secret_detected'],
  audits: ['member.removed'],
  idempotent: true,
  destructive: true,
  route: { method: 'POST', path: '/v1/members/{member_id}/remove' },
});
