import { z } from 'zod';
import { id, instant } from '../fields.js';
import { MEMBER_ROLES } from '../scopes.js';
import { actorObject } from './actor.js';

/** A person of a workspace. `email` is null for a first owner of whom nobody has said it. */
export const memberObject = z.object({
  id: id(),
  actor: actorObject,
  email: z.string().nullable(),
  role: z.enum(MEMBER_ROLES),
  status: z.enum(['invited', 'active', 'removed']),
  invited_at: instant(),
  joined_at: instant().nullable(),
  removed_at: instant().nullable(),
});

export type MemberObject = z.output<typeof memberObject>;
