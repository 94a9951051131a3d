import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { diffHash, failingSignature, loopInput } from '../fields.js';
import { loopWorkObject } from '../objects/loop.js';

export const recordLoopMeasurement = defineOperation({
  name: 'record_loop_measurement',
  area: 'loop',
  toolSet: 'loop',
  kind: 'mutation',
  title: 'Record a measurement',
  summary:
    'For the test step, not for agents: what failed first (null when the tests pass) and the hash of the diff. The same pair again counts as unchanged; `no_progress` says that the limit is reached.',
  input: z.strictObject({ ...loopInput, failing_signature: failingSignature().nullable(), diff_hash: diffHash() }),
  output: z.object({ work: loopWorkObject, no_progress: z.boolean() }),
  scope: 'loop:measure',
  errors: ['not_found', 'secret_detected'],
  audits: [],
  unauditedBecause: 'a measurement, which the next one replaces; resets are audited',
  idempotent: false,
  route: { method: 'POST', path: '/v1/loops/measurements' },
});
