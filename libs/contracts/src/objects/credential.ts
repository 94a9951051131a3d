import { z } from 'zod';
import { id, instant } from '../fields.js';
import { SCOPES } from '../scopes.js';
import { actorObject } from './actor.js';

/** A credential as it can be shown at any time: never its secret. */
export const credentialObject = z.object({
  id: id(),
  actor: actorObject,
  scopes: z.array(z.enum(SCOPES)),
  prefix: z.string(),
  last_four: z.string(),
  created_at: instant(),
  expires_at: instant().nullable(),
  last_used_at: instant().nullable(),
  revoked_at: instant().nullable(),
  /** While a rotation's overlap lasts: until when the secret before it is taken. */
  old_secret_valid_until: instant().nullable(),
  via: z.enum(['issued', 'mcp_authorization']),
});

export type CredentialObject = z.output<typeof credentialObject>;
