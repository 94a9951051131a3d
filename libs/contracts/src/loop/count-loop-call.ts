import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { count, line, loopInput } from '../fields.js';
import { LOOP_BOUNDS } from '../loop-rules.js';

export const countLoopCall = defineOperation({
  name: 'count_loop_call',
  area: 'loop',
  toolSet: 'loop',
  kind: 'mutation',
  title: 'Count a shell call',
  summary:
    'Count one shell call (or `calls`) of a session against the cap of its loop. When the cap would be passed it answers `allowed: false` and counts nothing.',
  input: z.strictObject({ ...loopInput, session_id: line(), calls: z.int().min(1).max(LOOP_BOUNDS.calls).optional() }),
  output: z.object({ allowed: z.boolean(), bash_calls: count(), cap: z.int() }),
  scope: 'loop:write',
  errors: ['not_found', 'secret_detected'],
  audits: [],
  unauditedBecause: 'a counter, many an hour',
  idempotent: false,
  route: { method: 'POST', path: '/v1/loops/calls' },
});
