import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, line } from '../fields.js';
import { credentialObject } from '../objects/credential.js';

export const revokeCredential = defineOperation({
  name: 'revoke_credential',
  area: 'access',
  toolSet: 'access',
  kind: 'mutation',
  title: 'Revoke a credential',
  summary:
    'End a credential for good, with a reason: every process refuses it within a second. Revoking a revoked one changes nothing.',
  input: z.strictObject({ credential_id: id(), reason: line() }),
  output: z.object({ credential: credentialObject }),
  scope: 'access:write',
  errors: ['not_found', 'forbidden', 'secret_detected'],
  audits: ['credential.revoked'],
  idempotent: true,
  destructive: true,
  route: { method: 'POST', path: '/v1/credentials/{credential_id}/revoke' },
});
