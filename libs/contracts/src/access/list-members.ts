import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { pageInput, pageOf } from '../fields.js';
import { memberObject } from '../objects/member.js';

export const listMembers = defineOperation({
  name: 'list_members',
  area: 'access',
  toolSet: 'access',
  kind: 'query',
  title: 'List members',
  summary: 'List the people of the workspace, in the order in which they came. Removed ones only with include_removed.',
  input: z.strictObject({ include_removed: z.boolean().optional(), ...pageInput }),
  output: pageOf(memberObject),
  scope: 'access:read',
  errors: ['invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/members' },
});
