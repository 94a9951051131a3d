import { z } from 'zod';
import { id, instant } from '../fields.js';
import { actorObject } from './actor.js';

export const backlogCommentObject = z.object({
  id: id(),
  actor: actorObject,
  body_markdown: z.string(),
  created_at: instant(),
});

export type BacklogCommentObject = z.output<typeof backlogCommentObject>;
