import { catalogue } from '../catalogue.js';
import { exampleOf, SAMPLE } from './example.js';

const {
  startBuildSession,
  pingBuildSession,
  prependBuildSessionLead,
  updateBuildSessionState,
  linkBuildSessionContinuation,
  recordBuildSessionPrs,
  recordBuildSessionCommits,
  endBuildSession,
  checkpointBuildSession,
  reassignBuildSessionProject,
  listBuildSessions,
  getBuildSession,
  getBuildSessionAggregate,
  resumeBrief,
} = catalogue.sessions;

const build_session_id = SAMPLE.session;

/** One session is worked in and stays open; an earlier one of another computer has ended. */
export const sessionExamples = [
  exampleOf(
    startBuildSession,
    { project: 'payments', computer: 'laptop', branch: 'safe-retries', intent: 'Make retries of a payment safe' },
    { [SAMPLE.session]: 'build_session.id' },
  ),
  exampleOf(
    startBuildSession,
    { project: 'payments', computer: 'desktop', branch: 'safe-retries' },
    { [SAMPLE.earlierSession]: 'build_session.id' },
  ),
  exampleOf(pingBuildSession, { build_session_id }),
  exampleOf(prependBuildSessionLead, {
    build_session_id,
    new_lead_markdown: 'Retries are in place. **Next:** the idempotency key.',
  }),
  exampleOf(updateBuildSessionState, {
    build_session_id,
    current_state_markdown: 'Retries are in place; the idempotency key is sent with every payment.',
    if_version: 2,
  }),
  exampleOf(recordBuildSessionPrs, {
    build_session_id,
    prs: [
      {
        url: 'https://github.com/acme/payments/pull/17',
        linked_issue_url: 'https://github.com/acme/payments/issues/9',
        title: 'Safe retries',
      },
    ],
  }),
  exampleOf(recordBuildSessionCommits, {
    build_session_id,
    commits: [{ sha: '3f9c1ad8b27e', paths: ['src/client.ts'] }],
  }),
  exampleOf(checkpointBuildSession, {
    build_session_id,
    new_lead_markdown: 'The key is stored with the payment. **Next:** a test against the sandbox.',
    decisions: [
      {
        title: 'Retry at most three times',
        rationale_markdown: 'The provider blocks an account after five failures a minute.',
        decided_on: '2026-11-30',
        changes_public_contract: false,
      },
    ],
    prs: [{ url: 'https://github.com/acme/payments/pull/18' }],
  }),
  exampleOf(endBuildSession, {
    build_session_id: SAMPLE.earlierSession,
    session_history_entry_markdown: 'Reproduced the double charge. Open: the fix.',
    related_commit_shas: ['b81e0c2'],
  }),
  exampleOf(linkBuildSessionContinuation, { build_session_id, predecessor_build_session_id: SAMPLE.earlierSession }),
  exampleOf(reassignBuildSessionProject, { build_session_id: SAMPLE.earlierSession, project: 'checkout' }),
  exampleOf(listBuildSessions, { project: 'payments', status: 'active' }),
  exampleOf(getBuildSession, { build_session_id }),
  exampleOf(getBuildSessionAggregate, { build_session_id }),
  exampleOf(resumeBrief, { project: 'payments', computer: 'laptop', branch: 'safe-retries', token_budget: 1000 }),
];
