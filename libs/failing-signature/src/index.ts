export { failingSignature, FORMATS, type FailingSignature, type TestRun } from './failing-signature.js';
export type { TestFailure } from './test-failure.js';
