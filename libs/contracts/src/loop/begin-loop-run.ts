import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, loopInput } from '../fields.js';
import { loopRunObject, loopWorkObject } from '../objects/loop.js';

export const beginLoopRun = defineOperation({
  name: 'begin_loop_run',
  area: 'loop',
  toolSet: 'loop',
  kind: 'mutation',
  title: 'Begin a loop run',
  summary:
    'Say that a session of the client works on a loop. A known session_id continues its count; a new one starts at zero. What was measured stays as it is.',
  input: z.strictObject({ ...loopInput, session_id: line() }),
  output: z.object({ run: loopRunObject, work: loopWorkObject, no_progress: z.boolean() }),
  scope: 'loop:write',
  errors: ['not_found', 'secret_detected'],
  audits: [],
  unauditedBecause: 'a counter of one session, which decides nothing by itself',
  idempotent: true,
  route: { method: 'POST', path: '/v1/loops/runs' },
});
