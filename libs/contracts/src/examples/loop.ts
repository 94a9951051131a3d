import { catalogue } from '../catalogue.js';
import { exampleOf } from './example.js';

const { beginLoopRun, countLoopCall, recordLoopMeasurement, getLoopState, setLoopLimits, resetLoopWork } =
  catalogue.loop;

const nightly = { project: 'payments', branch: 'safe-retries', loop: 'nightly' };

export const loopExamples = [
  exampleOf(beginLoopRun, { ...nightly, session_id: 'client-7f3a' }),
  exampleOf(countLoopCall, { ...nightly, session_id: 'client-7f3a' }),
  exampleOf(recordLoopMeasurement, {
    ...nightly,
    failing_signature: 'client.spec.ts: a retry charges once',
    diff_hash: '3f9c1ad8b27e4d60',
  }),
  exampleOf(getLoopState, nightly),
  exampleOf(setLoopLimits, { ...nightly, cap: 60, no_progress_limit: 4 }),
  exampleOf(resetLoopWork, { ...nightly, reason: 'The sandbox was down; the measurements say nothing.' }),
];
