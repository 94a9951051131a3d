import { z } from 'zod';
import { id, instant } from '../fields.js';

export const workspaceObject = z.object({
  id: id(),
  slug: z.string(),
  name: z.string(),
  status: z.enum(['active', 'suspended']),
  created_at: instant(),
});

export type WorkspaceObject = z.output<typeof workspaceObject>;
