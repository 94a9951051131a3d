import { catalogue } from '../catalogue.js';
import { exampleOf, SAMPLE } from './example.js';

const {
  appendDecisionLog,
  correctDecisionLog,
  getDecisionLogEntry,
  listDecisionLog,
  searchDecisionLog,
  getDecisionLogHistory,
  linkDecisionSourceSession,
  exportDecisionLog,
  decisionsForPath,
} = catalogue.decisions;

const decision_id = SAMPLE.decision;

export const decisionExamples = [
  exampleOf(
    appendDecisionLog,
    {
      title: 'Send an Idempotency-Key with every payment',
      rationale_markdown: 'The provider keeps answers for 24 h: a retry then cannot charge twice.',
      decided_on: '2026-11-30',
      changes_public_contract: true,
      tags: ['payments'],
      paths: ['src/client.ts'],
    },
    { [SAMPLE.decision]: 'decision.id' },
  ),
  exampleOf(correctDecisionLog, {
    supersedes_decision_id: decision_id,
    title: 'Send an Idempotency-Key with every payment and refund',
    rationale_markdown: 'Refunds are retried by the same client and can be doubled in the same way.',
    decided_on: '2026-12-01',
    changes_public_contract: true,
  }),
  exampleOf(getDecisionLogEntry, { decision_id }),
  exampleOf(listDecisionLog, { project: 'payments', changes_public_contract: true, decided_from: '2026-11-01' }),
  exampleOf(searchDecisionLog, { query: 'idempotency "charge twice"', project: 'payments' }),
  exampleOf(getDecisionLogHistory, { decision_id }),
  exampleOf(linkDecisionSourceSession, { decision_id, build_session_id: SAMPLE.session }),
  exampleOf(exportDecisionLog, { project: 'payments', format: 'madr' }),
  exampleOf(exportDecisionLog, { format: 'ndjson' }),
  exampleOf(decisionsForPath, { project: 'payments', path: 'src/client.ts' }),
];
