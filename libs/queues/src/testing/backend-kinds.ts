import { testQueueKind, type TestQueueKind } from '@perdure/testkit';

/** Both backends, or the one that the run was asked to test. */
export const BACKEND_KINDS: TestQueueKind[] =
  process.env['PERDURE_TEST_QUEUE'] === undefined ? ['redis', 'postgres'] : [testQueueKind()];
