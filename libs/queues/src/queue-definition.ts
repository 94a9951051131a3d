import { z } from 'zod';

/** The whole content of a job: which workspace has work. Never the work itself, never its order. */
export interface WakeUpPayload {
  workspace_id: string;
}

/** One queue, declared once and used by its producers and its consumers alike. */
export interface QueueDefinition {
  /** Name in the backend. BullMQ refuses a colon in it. */
  readonly name: string;
  readonly payload: z.ZodType<WakeUpPayload>;
  readonly retention: {
    /** How many failed jobs stay readable. A completed one is removed at once: kept, it costs 1.3 kB of Redis, removed 0.1 kB. */
    readonly failedCount: number;
  };
}

/** Checks a declaration and freezes it. Throws when the name could not be used by the backend. */
export function defineQueue(declaration: QueueDefinition): QueueDefinition {
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(declaration.name)) {
    throw new Error(`A queue name is lower case letters, digits and dashes, not "${declaration.name}".`);
  }
  return Object.freeze({ ...declaration, retention: Object.freeze({ ...declaration.retention }) });
}

/** The payload that every queue here uses. Unknown keys are dropped, so that nothing else travels by accident. */
export const wakeUpPayload = z.object({ workspace_id: z.string().min(1).max(64) });
