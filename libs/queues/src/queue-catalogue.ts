import { defineQueue, wakeUpPayload } from './queue-definition.js';

/** Enough to read what went wrong; bounded, because nothing here is the truth. */
const FAILED_JOBS_KEPT = 1000;

/** Wakes the audit-writer: a workspace has events that are not linked yet. */
export const auditLink = defineQueue({
  name: 'audit-link',
  payload: wakeUpPayload,
  retention: { failedCount: FAILED_JOBS_KEPT },
});

/** Wakes usage-ingest: a workspace has a received usage batch. */
export const usageIngest = defineQueue({
  name: 'usage-ingest',
  payload: wakeUpPayload,
  retention: { failedCount: FAILED_JOBS_KEPT },
});
