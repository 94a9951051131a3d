import { z } from 'zod';
import { count, instant } from '../fields.js';

/** The half that belongs to one session of a client: how many shell calls it made (L1). */
export const loopRunObject = z.object({
  session_id: z.string(),
  bash_calls: count(),
  cap: z.int(),
  started_at: instant(),
});

/** The half that survives the session: what the test step measured last (L1). */
export const loopWorkObject = z.object({
  failing_signature: z.string().nullable(),
  diff_hash: z.string().nullable(),
  unchanged: count(),
  measured_at: instant().nullable(),
});

export const loopLimitsObject = z.object({ cap: z.int(), no_progress_limit: z.int() });

export type LoopRunObject = z.output<typeof loopRunObject>;
export type LoopWorkObject = z.output<typeof loopWorkObject>;
export type LoopLimitsObject = z.output<typeof loopLimitsObject>;
