import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id } from '../fields.js';
import { memberObject } from '../objects/member.js';
import { MEMBER_ROLES } from '../scopes.js';

export const changeMemberRole = defineOperation({
  name: 'change_member_role',
  area: 'access',
  toolSet: 'access',
  kind: 'mutation',
  title: 'Change the role of a member',
  summary:
    'Give a member another role; what they are signed in with follows within a second. Only owners make or change owners, and the last owner stays one.',
  input: z.strictObject({ member_id: id(), role: z.enum(MEMBER_ROLES) }),
  output: z.object({ member: memberObject }),
  scope: 'access:write',
  errors: ['not_found', 'forbidden', 'forbidden_scope', 'conflict', 'last_owner'],
  audits: ['member.role_changed'],
  idempotent: true,
  route: { method: 'PUT', path: '/v1/members/{member_id}/role' },
});
