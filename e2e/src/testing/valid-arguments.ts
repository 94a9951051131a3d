import { DECISION, ITEM, RULE, type Fixture } from './call-fixture.js';

export type Arguments = Record<string, unknown>;

const PR = {
  url: 'https://github.com/acme/app/pull/1',
  linked_issue_url: 'https://github.com/acme/app/issues/2',
  title: 'x',
};
const LOOP = { branch: 'b', loop: 'l' };
const PAGE = { limit: 5 };
const AGE_PUBLIC_KEY = 'age1gt7gqx0tp3mcn984mqfm3hpvw62j979hvyp0jj3fsxjak34fncvs9cda4y';

const CLASSES = {
  input_tokens: 1,
  output_tokens: 1,
  cache_write_5m_tokens: 1,
  cache_write_1h_tokens: 1,
  cache_read_tokens: 1,
};
const transcript = (id: string) => ({
  transcript_id: id,
  client: 'claude-code',
  parent_transcript_id: 'p',
  version: { generation: 1, complete_bytes: 1, records: 1 },
  first_at: '2026-01-01T00:00:00Z',
  last_at: '2026-01-01T01:00:00Z',
  prompts: 1,
  quality: 'exact',
  replayed_responses: 0,
  warnings: ['x'],
  models: [{ model: 'm', turns: 1, ...CLASSES }],
});
const withResponses = (id: string) => ({
  ...transcript(id),
  responses: [{ hash: '0123456789abcdef', first_at: '2026-01-01T00:00:00Z', model: 'm', ...CLASSES }],
});

type Valid = (fixture: Fixture) => Arguments | Promise<Arguments>;

const session = async (fixture: Fixture) => ({ build_session_id: await fixture.session() });

/**
 * Arguments that an operation accepts, all of them where they go together, else in alternatives. A cursor is never
 * among them: it comes from an answer.
 */
export const VALID_ARGUMENTS: Readonly<Record<string, readonly Valid[]>> = {
  create_project: [
    ({ unique }) => ({ name: unique(), slug: unique(), repository_urls: ['https://a.b/c'], attributes: { k: 'v' } }),
  ],
  list_projects: [() => ({ search: 'x', ...PAGE })],
  get_project: [({ project }) => ({ project })],
  update_project: [
    async ({ otherProject, unique }) => ({
      project: await otherProject(),
      name: unique(),
      repository_urls: ['https://a.b/c'],
      attributes: {},
    }),
  ],
  archive_project: [async ({ otherProject }) => ({ project: await otherProject(), reason: 'x' })],
  start_build_session: [
    ({ project, unique }) => ({
      project,
      computer: 'desk',
      branch: unique(),
      worktree: 'w',
      intent: 'x',
      notes: 'x',
      client_name: 'x',
      client_version: '1',
      source: 'startup',
    }),
  ],
  ping_build_session: [session],
  prepend_build_session_lead: [
    async (fixture) => ({ ...(await session(fixture)), new_lead_markdown: 'x', on_overflow: 'reject' }),
  ],
  update_build_session_state: [
    async (fixture) => ({ ...(await session(fixture)), current_state_markdown: 'x', if_version: 1 }),
  ],
  link_build_session_continuation: [
    async (fixture) => ({ ...(await session(fixture)), predecessor_build_session_id: await fixture.session() }),
  ],
  record_build_session_prs: [async (fixture) => ({ ...(await session(fixture)), prs: [PR] })],
  record_build_session_commits: [
    async (fixture) => ({ ...(await session(fixture)), commits: [{ sha: 'abcdef1', paths: ['src/a.ts'] }] }),
  ],
  end_build_session: [
    async (fixture) => ({
      ...(await session(fixture)),
      session_history_entry_markdown: 'x',
      related_prs: [{ url: PR.url, linked_issue_url: PR.linked_issue_url }],
      related_commit_shas: ['abcdef1'],
    }),
  ],
  checkpoint_build_session: [
    async (fixture) => ({
      ...(await session(fixture)),
      new_lead_markdown: 'x',
      decisions: [{ ...DECISION, ...(await session(fixture)), project: fixture.project }],
      backlog_items: [
        { ...ITEM, ...(await session(fixture)), project: fixture.project, blocked_by: [await fixture.item()] },
      ],
      prs: [PR],
    }),
  ],
  reassign_build_session_project: [
    async (fixture) => ({ ...(await session(fixture)), project: await fixture.otherProject() }),
  ],
  list_build_sessions: [
    ({ project }) => ({
      project,
      status: 'active',
      actor: 'x',
      branch: 'b',
      computer: 'desk',
      stale_for_minutes: 1,
      search: 'x',
      ...PAGE,
    }),
  ],
  get_build_session: [session],
  get_build_session_aggregate: [session],
  resume_brief: [({ project }) => ({ project, computer: 'desk', branch: 'b', token_budget: 500 })],
  append_decision_log: [async (fixture) => ({ ...DECISION, ...(await session(fixture)), project: fixture.project })],
  correct_decision_log: [async ({ decision }) => ({ ...DECISION, supersedes_decision_id: await decision() })],
  get_decision_log_entry: [async ({ decision }) => ({ decision_id: await decision() })],
  list_decision_log: [
    async (fixture) => ({
      project: fixture.project,
      ...(await session(fixture)),
      kind: 'decision',
      changes_public_contract: false,
      tag: 't',
      path: 'src',
      decided_from: '2026-01-01',
      decided_to: '2026-12-31',
      include_superseded: true,
      ...PAGE,
    }),
  ],
  get_decision_log_history: [async ({ decision }) => ({ decision_id: await decision() })],
  link_decision_source_session: [
    async (fixture) => ({ decision_id: await fixture.decision(), ...(await session(fixture)) }),
  ],
  link_decision_source_backlog_item: [
    async ({ decision, item }) => ({ decision_id: await decision(), backlog_item_id: await item() }),
  ],
  export_decision_log: [({ project }) => ({ project, format: 'ndjson' })],
  decisions_for_path: [({ project }) => ({ project, path: 'src', ...PAGE })],
  file_backlog_item: [
    async (fixture) => ({
      ...ITEM,
      project: fixture.project,
      ...(await session(fixture)),
      blocked_by: [await fixture.item()],
    }),
  ],
  triage_backlog_item: [
    async ({ item }) => ({
      backlog_item_id: await item(),
      status: 'resolved',
      closing_pr_url: PR.url,
      closing_commit_sha: 'abcdef1',
      closing_notes: 'x',
    }),
    async ({ item }) => ({ backlog_item_id: await item(), status: 'dismissed', dismissal_reason: 'x' }),
  ],
  assign_backlog_item: [async ({ item }) => ({ backlog_item_id: await item(), assignee: 'x', reassign: true })],
  claim_backlog_item: [async ({ item }) => ({ backlog_item_id: await item() }), ({ project }) => ({ project })],
  release_backlog_item: [async ({ claimedItem }) => ({ backlog_item_id: await claimedItem(), reason: 'x' })],
  reprioritise_backlog_item: [
    async ({ item }) => ({ backlog_item_id: await item(), priority: 'high', category: 'bug' }),
  ],
  comment_backlog_item: [async ({ item }) => ({ backlog_item_id: await item(), body_markdown: 'x' })],
  block_backlog_item: [
    async ({ item }) => ({ backlog_item_id: await item(), blocked_by: [await item()], remove: false }),
  ],
  get_backlog_item: [async ({ item }) => ({ backlog_item_id: await item() })],
  list_backlog_items: [
    async (fixture) => ({
      project: fixture.project,
      status: 'open',
      priority: 'low',
      category: 'chore',
      assignee: 'x',
      ...(await session(fixture)),
      search: 'x',
      ...PAGE,
    }),
  ],
  list_ready_backlog_items: [({ project }) => ({ project, ...PAGE })],
  count_backlog_items: [({ project }) => ({ project })],
  search_decision_log: [({ project }) => ({ query: 'x', project, ...PAGE })],
  query_applicable_rules: [
    async (fixture) => ({
      project: fixture.project,
      ...(await session(fixture)),
      file_paths: ['src/a.ts'],
      operations: ['deploy'],
      languages: ['TypeScript'],
      code: 'x',
      project_attributes: { k: 'v' },
      explain: true,
      full: true,
    }),
  ],
  create_rule: [({ project }) => ({ ...RULE, always: false, project, severity: 'must' })],
  revise_rule: [async ({ rule }) => ({ ...RULE, rule_id: await rule(), always: false, severity: 'info' })],
  archive_rule: [async ({ rule }) => ({ rule_id: await rule(), reason: 'x' })],
  get_rule: [async ({ rule }) => ({ rule_id: await rule() })],
  list_rules: [({ project }) => ({ project, status: 'active', search: 'x', ...PAGE })],
  import_rules: [
    ({ project, unique }) => ({
      files: [{ path: `.claude/rules/${unique()}.md`, content: 'Be brief.' }],
      project,
      dry_run: false,
    }),
  ],
  export_rules: [({ project }) => ({ format: 'cursor', project })],
  begin_loop_run: [({ project, unique }) => ({ project, ...LOOP, session_id: unique() })],
  count_loop_call: [({ project, unique }) => ({ project, ...LOOP, session_id: unique(), calls: 1 })],
  record_loop_measurement: [({ project }) => ({ project, ...LOOP, failing_signature: 'x', diff_hash: 'abcdef1' })],
  get_loop_state: [({ project }) => ({ project, ...LOOP, session_id: 's' })],
  set_loop_limits: [({ project }) => ({ project, ...LOOP, cap: 40, no_progress_limit: 3 })],
  reset_loop_work: [({ project }) => ({ project, ...LOOP, reason: 'x' })],
  record_build_session_usage: [
    async (fixture) => ({ ...(await session(fixture)), transcripts: [transcript(fixture.unique())] }),
    async (fixture) => ({ ...(await session(fixture)), transcripts: [withResponses(fixture.unique())] }),
  ],
  submit_usage_batch: [
    async (fixture) => ({
      batch_key: fixture.unique(),
      reports: [{ ...(await session(fixture)), project: fixture.project, ...transcript(fixture.unique()) }],
    }),
    async (fixture) => ({ batch_key: fixture.unique(), reports: [withResponses(fixture.unique())] }),
  ],
  get_usage_batch: [async ({ batch }) => ({ batch_id: await batch() })],
  export_usage: [() => ({ from: '2026-01-01', to: '2026-12-31', format: 'csv' })],
  summarise_usage: [
    () => ({
      from: '2026-01-01',
      to: '2026-12-31',
      timezone: 'Europe/Berlin',
      group_by: ['day', 'project'],
      include_children: true,
    }),
  ],
  list_audit_events: [
    () => ({
      type: 'project.created',
      actor: 'x',
      subject_type: 'project',
      subject_id: 'x',
      from: '2026-01-01T00:00:00Z',
      to: '2026-12-31T00:00:00Z',
      from_seq: 0,
      ...PAGE,
    }),
  ],
  verify_audit_chain: [() => ({ from_seq: 0 })],
  who_am_i: [() => ({})],
  issue_credential: [
    ({ unique }) => ({
      actor: unique(),
      preset: 'agent',
      form: 'token',
      client: 'codex',
      expires_at: '2099-01-01T00:00:00Z',
    }),
    ({ unique }) => ({ actor: unique(), scopes: ['audit:read'] }),
  ],
  rotate_credential: [async ({ credential }) => ({ credential_id: await credential(), overlap_minutes: 10 })],
  revoke_credential: [async ({ credential }) => ({ credential_id: await credential(), reason: 'x' })],
  list_credentials: [() => ({ include_revoked: true, ...PAGE })],
  invite_member: [({ unique }) => ({ email: `${unique()}@example.com`, role: 'viewer' })],
  change_member_role: [async ({ member }) => ({ member_id: await member(), role: 'admin' })],
  remove_member: [async ({ member }) => ({ member_id: await member(), reason: 'x' })],
  list_members: [() => ({ include_removed: true, ...PAGE })],
  list_workspaces: [() => ({ search: 'x', status: 'active', ...PAGE })],
  suspend_workspace: [async ({ workspace }) => ({ workspace: await workspace(), reason: 'x' })],
  resume_workspace: [async ({ workspace }) => ({ workspace: await workspace(), reason: 'x' })],
  set_workspace_quota: [
    async ({ workspace }) => ({
      workspace: await workspace(),
      requests_per_minute: 600,
      stored_bytes: 1_000_000_000,
      build_sessions: 1_000,
      usage_reports_per_day: 1_000,
    }),
  ],
  export_workspace: [async ({ workspace }) => ({ workspace: await workspace(), encrypt_to: AGE_PUBLIC_KEY })],
  delete_workspace: [async ({ workspace }) => ({ workspace: await workspace(), reason: 'x', grace_days: 30 })],
  create_workspace: [({ unique }) => ({ name: unique(), slug: `w-${unique()}` })],
};
