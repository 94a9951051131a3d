import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { instant } from '../fields.js';
import { actorObject } from '../objects/actor.js';
import { workspaceObject } from '../objects/workspace.js';
import { SCOPES } from '../scopes.js';

export const whoAmI = defineOperation({
  name: 'who_am_i',
  area: 'access',
  toolSet: 'access',
  kind: 'query',
  title: 'Who am I',
  summary: 'Say which workspace and actor this credential belongs to, what it may do and when it expires.',
  input: z.strictObject({}),
  output: z.object({
    workspace: workspaceObject.pick({ id: true, slug: true, name: true, status: true }),
    actor: actorObject,
    scopes: z.array(z.enum(SCOPES)),
    expires_at: instant().nullable(),
  }),
  scope: 'any',
  errors: [],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/me' },
});
