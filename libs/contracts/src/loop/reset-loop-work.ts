import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, loopInput } from '../fields.js';
import { loopWorkObject } from '../objects/loop.js';

export const resetLoopWork = defineOperation({
  name: 'reset_loop_work',
  area: 'loop',
  toolSet: 'loop',
  kind: 'mutation',
  title: 'Reset what a loop measured',
  summary: 'For people: forget the last failing signature and its unchanged count, with the reason.',
  input: z.strictObject({ ...loopInput, reason: line() }),
  output: z.object({ work: loopWorkObject }),
  scope: 'loop:admin',
  errors: ['not_found', 'secret_detected'],
  audits: ['loop.work_reset'],
  idempotent: true,
  destructive: true,
  route: { method: 'POST', path: '/v1/loops/work/reset' },
});
