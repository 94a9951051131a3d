import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, loopInput } from '../fields.js';
import { loopLimitsObject, loopRunObject, loopWorkObject } from '../objects/loop.js';

export const getLoopState = defineOperation({
  name: 'get_loop_state',
  area: 'loop',
  toolSet: 'loop',
  kind: 'query',
  title: 'Get the state of a loop',
  summary:
    'Both halves of a loop: the run of a session (the last one unless session_id is given) and what was measured, with limits and the last 50 measurements.',
  input: z.strictObject({ ...loopInput, session_id: line().optional() }),
  output: z.object({
    run: loopRunObject.nullable(),
    work: loopWorkObject,
    no_progress: z.boolean(),
    limits: loopLimitsObject,
    recent_measurements: z.array(loopWorkObject),
  }),
  scope: 'loop:read',
  errors: ['not_found'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/loops' },
});
