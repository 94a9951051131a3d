import { createTestQueue, type TestQueue } from '@perdure/testkit';
