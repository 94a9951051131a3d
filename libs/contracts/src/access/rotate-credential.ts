import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id } from '../fields.js';
import { credentialObject } from '../objects/credential.js';

/** A week: longer, and it is no rotation but a second secret. */
const LONGEST_OVERLAP_MINUTES = 7 * 24 * 60;

export const rotateCredential = defineOperation({
  name: 'rotate_credential',
  area: 'access',
  toolSet: 'access',
  kind: 'mutation',
  title: 'Rotate a credential',
  summary:
    'Give a credential a new secret, shown once. The old secret stays valid for overlap_minutes (default 1440, 0 ends it at once) and never beyond the expiry of the credential; one that was in an earlier overlap ends now. Nobody can rotate a credential that may do more than their own.',
  input: z.strictObject({
    credential_id: id(),
    overlap_minutes: z.int().min(0).max(LONGEST_OVERLAP_MINUTES).optional(),
  }),
  output: z.object({ credential: credentialObject, secret: z.string().nullable() }),
  scope: 'access:write',
  errors: ['not_found', 'forbidden', 'forbidden_scope', 'conflict', 'unprocessable'],
  audits: ['credential.rotated'],
  idempotent: false,
  disclosedOnce: ['secret'],
  route: { method: 'POST', path: '/v1/credentials/{credential_id}/rotate' },
});
