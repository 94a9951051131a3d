import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { emailAddress } from '../fields.js';
import { memberObject } from '../objects/member.js';
import { MEMBER_ROLES } from '../scopes.js';

export const inviteMember = defineOperation({
  name: 'invite_member',
  area: 'access',
  toolSet: 'access',
  kind: 'mutation',
  title: 'Invite a member',
  summary:
    'Invite a person by e-mail address into the workspace with a role. invitation_url is a one-time link for you to pass on, shown once and good for seven days; nothing is mailed. Inviting again makes a new link and ends the old one; for somebody who has joined, an owner or they themselves get a sign-in link that way. Only owners invite owners.',
  input: z.strictObject({ email: emailAddress(), role: z.enum(MEMBER_ROLES) }),
  output: z.object({ member: memberObject, invitation_url: z.string().nullable() }),
  scope: 'access:write',
  errors: ['forbidden', 'forbidden_scope', 'conflict', 'unprocessable'],
  audits: ['member.invited'],
  idempotent: false,
  disclosedOnce: ['invitation_url'],
  route: { method: 'POST', path: '/v1/members', creates: ({ member }) => member.status === 'invited' },
});
