import { allOperations, catalogue, DomainError, type OperationContract } from '@perdure/contracts';
import { createTestInstallation, type TestActor, type TestInstallation, type TestWorkspace } from '@perdure/testkit';
import { Client } from 'pg';

const UNKNOWN = '01K5ZQ8W3M9X7B2C4D6E8F0G1H';
const unknownIds = {
  project: UNKNOWN,
  session: UNKNOWN,
  decision: UNKNOWN,
  item: UNKNOWN,
  rule: UNKNOWN,
  credential: UNKNOWN,
  member: UNKNOWN,
  batch: UNKNOWN,
};

interface Ids {
  /** The caller's own session, where a call needs one that exists beside the id it tries. */
  readonly own: string;
  readonly project: string;
  readonly session: string;
  readonly decision: string;
  readonly item: string;
  readonly rule: string;
  readonly credential: string;
  readonly member: string;
  readonly batch: string;
}

/** Valid arguments for each operation that takes an id, with the given ids in their places. */
const CALLS: Record<string, (ids: Ids) => object> = {
  start_build_session: ({ project }) => ({ project, computer: 'c', branch: 'b' }),
  ping_build_session: ({ session }) => ({ build_session_id: session }),
  prepend_build_session_lead: ({ session }) => ({ build_session_id: session, new_lead_markdown: 'x' }),
  end_build_session: ({ session }) => ({ build_session_id: session, session_history_entry_markdown: 'x' }),
  list_build_sessions: ({ project }) => ({ project }),
  get_build_session: ({ session }) => ({ build_session_id: session }),
  get_build_session_aggregate: ({ session }) => ({ build_session_id: session }),
  append_decision_log: ({ session }) => ({
    title: 'x',
    rationale_markdown: 'x',
    decided_on: '2026-11-30',
    changes_public_contract: false,
    build_session_id: session,
  }),
  file_backlog_item: ({ item }) => ({
    title: 'x',
    body_markdown: 'x',
    priority: 'low',
    category: 'chore',
    blocked_by: [item],
  }),
  triage_backlog_item: ({ item }) => ({ backlog_item_id: item, status: 'triaged' }),
  assign_backlog_item: ({ item }) => ({ backlog_item_id: item, assignee: 'x' }),
  claim_backlog_item: ({ item }) => ({ backlog_item_id: item }),
  release_backlog_item: ({ item }) => ({ backlog_item_id: item, reason: 'x' }),
  reprioritise_backlog_item: ({ item }) => ({ backlog_item_id: item, priority: 'low' }),
  comment_backlog_item: ({ item }) => ({ backlog_item_id: item, body_markdown: 'x' }),
  block_backlog_item: ({ item }) => ({ backlog_item_id: item, blocked_by: [] }),
  get_backlog_item: ({ item }) => ({ backlog_item_id: item }),
  list_backlog_items: ({ project }) => ({ project }),
  list_ready_backlog_items: ({ project }) => ({ project }),
  count_backlog_items: ({ project }) => ({ project }),
  begin_loop_run: ({ project }) => ({ project, branch: 'b', loop: 'l', session_id: 's' }),
  count_loop_call: ({ project }) => ({ project, branch: 'b', loop: 'l', session_id: 's' }),
  record_loop_measurement: ({ project }) => ({
    project,
    branch: 'b',
    loop: 'l',
    failing_signature: null,
    diff_hash: 'abcdef1',
  }),
  get_loop_state: ({ project }) => ({ project, branch: 'b', loop: 'l' }),
  set_loop_limits: ({ project }) => ({ project, branch: 'b', loop: 'l', cap: 3 }),
  reset_loop_work: ({ project }) => ({ project, branch: 'b', loop: 'l', reason: 'x' }),
  checkpoint_build_session: ({ session }) => ({ build_session_id: session, new_lead_markdown: 'x' }),
  resume_brief: ({ project }) => ({ project }),
  query_applicable_rules: ({ session }) => ({ build_session_id: session }),
  create_rule: ({ project }) => ({ title: 'x', body_markdown: 'x', triggers: {}, project }),
  revise_rule: ({ rule }) => ({ rule_id: rule, title: 'y' }),
  archive_rule: ({ rule }) => ({ rule_id: rule, reason: 'x' }),
  get_rule: ({ rule }) => ({ rule_id: rule }),
  list_rules: ({ project }) => ({ project }),
  import_rules: ({ project }) => ({ project, files: [{ path: '.cursor/rules/a.mdc', content: 'x' }] }),
  export_rules: ({ project }) => ({ project, format: 'cursor' }),
  rotate_credential: ({ credential }) => ({ credential_id: credential }),
  revoke_credential: ({ credential }) => ({ credential_id: credential, reason: 'x' }),
  change_member_role: ({ member }) => ({ member_id: member, role: 'viewer' }),
  remove_member: ({ member }) => ({ member_id: member, reason: 'x' }),
  search_decision_log: ({ project }) => ({ query: 'x', project }),
  get_project: ({ project }) => ({ project }),
  update_project: ({ project }) => ({ project, name: 'x' }),
  archive_project: ({ project }) => ({ project, reason: 'x' }),
  update_build_session_state: ({ session }) => ({ build_session_id: session, current_state_markdown: 'x' }),
  link_build_session_continuation: ({ session, own }) => ({
    build_session_id: own,
    predecessor_build_session_id: session,
  }),
  record_build_session_prs: ({ session }) => ({
    build_session_id: session,
    prs: [{ url: 'https://github.com/acme/app/pull/1' }],
  }),
  record_build_session_commits: ({ session }) => ({ build_session_id: session, commits: [{ sha: 'abcdef1' }] }),
  reassign_build_session_project: ({ project, own }) => ({ build_session_id: own, project }),
  correct_decision_log: ({ decision }) => ({
    supersedes_decision_id: decision,
    title: 'x',
    rationale_markdown: 'x',
    decided_on: '2026-11-30',
    changes_public_contract: false,
  }),
  get_decision_log_history: ({ decision }) => ({ decision_id: decision }),
  link_decision_source_session: ({ decision, own }) => ({ decision_id: decision, build_session_id: own }),
  link_decision_source_backlog_item: ({ decision, item }) => ({ decision_id: decision, backlog_item_id: item }),
  export_decision_log: ({ project }) => ({ project, format: 'ndjson' }),
  decisions_for_path: ({ project }) => ({ project, path: 'src' }),
  record_build_session_usage: ({ session }) => ({
    build_session_id: session,
    transcripts: [{ transcript_id: 't', client: 'c', models: [] }],
  }),
  get_usage_batch: ({ batch }) => ({ batch_id: batch }),
  get_decision_log_entry: ({ decision }) => ({ decision_id: decision }),
  list_decision_log: ({ project }) => ({ project }),
};

/** Operations whose arguments name nothing that another workspace could own. */
const WITHOUT_IDS = new Set([
  'create_project',
  'list_projects',
  'who_am_i',
  'issue_credential',
  'list_credentials',
  'invite_member',
  'list_members',
  'create_workspace',
  'list_workspaces',
  'suspend_workspace',
  'resume_workspace',
  'set_workspace_quota',
  'export_workspace',
  'delete_workspace',
  // Its lines may name foreign sessions and projects: usage-ingest says of each the same as of one that is not there.
  'submit_usage_batch',
  'summarise_usage',
  'export_usage',
  'list_audit_events',
  'verify_audit_chain',
]);

describe('tenancy', () => {
  let installation: TestInstallation;
  let mine: TestWorkspace;
  let theirs: Ids;
  let own: string;

  beforeAll(async () => {
    installation = await createTestInstallation();
    mine = await installation.workspace('mine');
    const other = await installation.workspace('theirs');
    theirs = await fill(other.owner);
    own = (await fill(mine.owner)).session;
  });
  afterAll(() => installation.close());

  async function fill(actor: TestActor): Promise<Ids> {
    const { project } = await installation.call(catalogue.projects.createProject, actor, { name: 'p' });
    const { build_session } = await installation.call(catalogue.sessions.startBuildSession, actor, {
      project: project.id,
      computer: 'c',
      branch: 'b',
    });
    const { decision } = await installation.call(catalogue.decisions.appendDecisionLog, actor, {
      title: 'x',
      rationale_markdown: 'x',
      decided_on: '2026-11-30',
      changes_public_contract: false,
    });
    const { backlog_item } = await installation.call(catalogue.backlog.fileBacklogItem, actor, {
      title: 'x',
      body_markdown: 'x',
      priority: 'low',
      category: 'chore',
    });
    const { rule } = await installation.call(catalogue.rules.createRule, actor, {
      title: 'x',
      body_markdown: 'x',
      triggers: {},
    });
    const { credential } = await installation.call(catalogue.access.issueCredential, actor, {
      actor: 'x',
      preset: 'agent',
    });
    const { member } = await installation.call(catalogue.access.inviteMember, actor, {
      email: 'ada@example.com',
      role: 'member',
    });
    const { batch_id } = await installation.call(catalogue.usage.submitUsageBatch, actor, {
      batch_key: 'k',
      reports: [],
    });
    return {
      own: build_session.id,
      project: project.id,
      session: build_session.id,
      decision: decision.id,
      item: backlog_item.id,
      rule: rule.id,
      credential: credential.id,
      member: member.id,
      batch: batch_id,
    };
  }

  const answer = async (contract: OperationContract, input: object): Promise<string> => {
    const outcome = await installation.operations
      .run(contract, mine.owner.caller, input, { requestId: 'test' })
      .catch((error: unknown) => (error instanceof DomainError ? error.toBody() : error));
    return JSON.stringify(outcome);
  };

  it('I1: every operation of the catalogue is either called here or names nothing that could be foreign', () => {
    const covered = new Set([...Object.keys(CALLS), ...WITHOUT_IDS]);
    expect(allOperations.map((contract) => contract.name).filter((name) => !covered.has(name))).toEqual([]);
  });

  it.each(Object.keys(CALLS))('I1: %s answers another workspace’s ids byte for byte as unknown ids', async (name) => {
    const contract = allOperations.find((candidate) => candidate.name === name);
    const call = CALLS[name];
    if (contract === undefined || call === undefined) throw new Error(`${name} is not in the catalogue`);
    const unknown = await answer(contract, call({ ...unknownIds, own }));
    expect(await answer(contract, call({ ...theirs, own }))).toBe(unknown);
    expect(unknown).toContain('not_found');
  });

  describe('a bare SQL session of the application role', () => {
    let client: Client;
    let tables: string[];

    beforeAll(async () => {
      client = new Client({ connectionString: installation.database.appUrl });
      await client.connect();
      const { rows } = await client.query<{ table_name: string }>(
        `SELECT DISTINCT c.relname AS table_name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
         WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')`,
      );
      tables = rows.map((row) => row.table_name);
    });
    afterAll(() => client.end());

    it('I1: every table with a workspace has row-level security enabled and forced', async () => {
      const { rows } = await client.query<{ relname: string }>(
        `SELECT relname FROM pg_class WHERE relname = ANY($1) AND NOT (relrowsecurity AND relforcerowsecurity)`,
        [tables],
      );
      expect(tables.length).toBeGreaterThan(10);
      expect(rows).toEqual([]);
    });

    /** What comes before a tenant is known: registered clients, codes and tokens under digests (ADR 0018), counters. */
    const WITHOUT_TENANT = ['oauth_artifact', 'oauth_client', 'rate_limit'];

    it('I1: every table of the schema but the migrations’ own and three from before a sign-in has a workspace', async () => {
      const { rows } = await client.query<{ tablename: string }>(
        `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND NOT tablename = ANY($1)`,
        [tables],
      );
      expect(rows.map((row) => row.tablename).sort()).toEqual([...WITHOUT_TENANT, 'schema_migration']);
    });

    it.each(WITHOUT_TENANT)('I1: %s can be reached through its functions alone', async (table) => {
      for (const sql of [`SELECT 1 FROM ${table}`, `DELETE FROM ${table}`, `TRUNCATE ${table}`])
        await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
    });

    it.each([
      ['none', null],
      ['an empty', ''],
      ['an unknown', UNKNOWN],
    ])('I1: with %s workspace set it sees nothing and writes nothing', async (_label, setting) => {
      await client.query(`SELECT set_config('perdure.workspace_id', $1, false)`, [setting ?? '']);
      if (setting === null) await client.query('RESET perdure.workspace_id');
      for (const table of tables) {
        expect(await countOf(table)).toBe(0);
        expect(await changedBy(`UPDATE ${table} SET workspace_id = workspace_id`)).toBe(0);
        expect(await changedBy(`DELETE FROM ${table}`)).toBe(0);
        expect(await changedBy(`INSERT INTO ${table} (workspace_id) VALUES ('${mine.id}')`)).toBe(0);
      }
    });

    it('I1: with a workspace set it sees no row of another and writes none into it', async () => {
      await client.query(`SELECT set_config('perdure.workspace_id', $1, false)`, [mine.id]);
      for (const table of tables) {
        const foreign = `WHERE workspace_id <> '${mine.id}'`;
        expect(await countOf(`${table} ${foreign}`)).toBe(0);
        expect(await changedBy(`UPDATE ${table} SET workspace_id = workspace_id ${foreign}`)).toBe(0);
        expect(await changedBy(`DELETE FROM ${table} ${foreign}`)).toBe(0);
        expect(await changedBy(`UPDATE ${table} SET workspace_id = '${UNKNOWN}'`)).toBe(0);
        expect(await changedBy(`INSERT INTO ${table} (workspace_id) VALUES ('${UNKNOWN}')`)).toBe(0);
      }
      expect(await countOf('build_session')).toBeGreaterThan(0);
    });

    const countOf = async (table: string) =>
      Number((await client.query(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n ?? 0);

    /** Rows a statement changed; a refusal by privilege or policy changes none. */
    const changedBy = async (sql: string): Promise<number> => {
      await client.query('BEGIN');
      try {
        return (await client.query(sql)).rowCount ?? 0;
      } catch (error) {
        expect(error).toMatchObject({ code: '42501' });
        return 0;
      } finally {
        await client.query('ROLLBACK');
      }
    };
  });
});
