import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { pageInput, pageOf } from '../fields.js';
import { credentialObject } from '../objects/credential.js';

export const listCredentials = defineOperation({
  name: 'list_credentials',
  area: 'access',
  toolSet: 'access',
  kind: 'query',
  title: 'List credentials',
  summary:
    'List the credentials of the workspace, newest first, without secrets: issued ones and those that MCP clients got by authorization. Revoked ones only with include_revoked.',
  input: z.strictObject({ include_revoked: z.boolean().optional(), ...pageInput }),
  output: pageOf(credentialObject),
  scope: 'access:read',
  errors: ['invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/credentials' },
});
