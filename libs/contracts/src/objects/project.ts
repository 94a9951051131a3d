import { z } from 'zod';
import { id, instant } from '../fields.js';

export const projectObject = z.object({
  id: id(),
  slug: z.string(),
  name: z.string(),
  repository_urls: z.array(z.string()),
  attributes: z.record(z.string(), z.string()),
  status: z.enum(['active', 'archived']),
  created_at: instant(),
});

export type ProjectObject = z.output<typeof projectObject>;
