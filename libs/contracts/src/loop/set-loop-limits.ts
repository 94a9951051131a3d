import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { loopInput } from '../fields.js';
import { LOOP_BOUNDS } from '../loop-rules.js';
import { loopLimitsObject } from '../objects/loop.js';

export const setLoopLimits = defineOperation({
  name: 'set_loop_limits',
  area: 'loop',
  toolSet: 'loop',
  kind: 'mutation',
  title: 'Set the limits of a loop',
  summary: 'For people: the cap of shell calls of a run, and how many unchanged measurements mean no progress.',
  input: z.strictObject({
    ...loopInput,
    cap: z.int().min(1).max(LOOP_BOUNDS.cap).optional(),
    no_progress_limit: z.int().min(1).max(LOOP_BOUNDS.no_progress_limit).optional(),
  }),
  output: z.object({ limits: loopLimitsObject }),
  scope: 'loop:admin',
  errors: ['not_found'],
  audits: ['loop.limits_set'],
  idempotent: true,
  route: { method: 'PUT', path: '/v1/loops/limits' },
});
