import { z } from 'zod';
import { id } from '../fields.js';

/** Who acts in a workspace: an agent, a person or the operator of the installation. */
export const actorObject = z.object({
  id: id(),
  name: z.string(),
  kind: z.enum(['agent', 'person', 'operator']),
});

export type ActorObject = z.output<typeof actorObject>;
