import { Client, type Pool } from 'pg';
import { ulid } from 'ulid';
import type { Agent } from './installation.js';

export interface DecisionInput {
  readonly title: string;
  readonly rationale_markdown: string;
  readonly decided_on: string;
  readonly changes_public_contract: boolean;
  readonly tags: string[];
  readonly paths: string[];
}

/** Everything of `decision` but its triggers and the foreign key to the audit event, which has no event here. */
const TABLE = `
  CREATE TABLE unaudited_decision (
    LIKE decision INCLUDING ALL,
    FOREIGN KEY (workspace_id, project_id) REFERENCES project,
    FOREIGN KEY (workspace_id, build_session_id) REFERENCES build_session,
    FOREIGN KEY (workspace_id, actor_id) REFERENCES actor,
    FOREIGN KEY (workspace_id, supersedes_decision_id) REFERENCES unaudited_decision
  );
  ALTER TABLE unaudited_decision ENABLE ROW LEVEL SECURITY;
  ALTER TABLE unaudited_decision FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON unaudited_decision
    USING (workspace_id = nullif(current_setting('perdure.workspace_id', true), ''));
  GRANT SELECT, INSERT, UPDATE ON unaudited_decision TO perdure_app;
`;

export async function createUnauditedTable(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(TABLE);
  } finally {
    await client.end();
  }
}

const OPEN_SESSION = `
  SELECT s.id, s.project_id FROM build_session s
  WHERE s.workspace_id = $1 AND s.actor_id = $2 AND s.status = 'active'
  ORDER BY greatest(s.last_active_at, s.last_pinged_at,
    (SELECT max(d.appended_at) FROM unaudited_decision d
     WHERE d.workspace_id = s.workspace_id AND d.build_session_id = s.id)) DESC, s.id DESC
  FOR SHARE OF s`;

const INSERT = `
  INSERT INTO unaudited_decision (workspace_id, id, project_id, build_session_id, actor_id, title, rationale_markdown,
    decided_on, changes_public_contract, kind, tags, paths, supersedes_decision_id, appended_at, audit_event_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'decision', $10, $11, NULL, $12, $13)`;

const READ_BACK = `
  SELECT d.*, json_build_object('id', a.id, 'name', a.name, 'kind', a.kind) AS actor, later.id AS superseded_by
  FROM unaudited_decision d
  JOIN actor a ON a.workspace_id = d.workspace_id AND a.id = d.actor_id
  LEFT JOIN unaudited_decision later ON later.workspace_id = d.workspace_id AND later.supersedes_decision_id = d.id
  WHERE d.workspace_id = $1 AND d.id = $2`;

/** The ceiling: one decision appended as the handler does it, and nothing else. Its statements stay as they are here. */
export async function unauditedAppend(pool: Pool, { caller, projectId }: Agent, input: DecisionInput): Promise<void> {
  const client = await pool.connect();
  const { workspaceId, actor } = caller;
  try {
    const begun = client.query(`BEGIN; SET LOCAL perdure.workspace_id = '${workspaceId}'`);
    const { rows } = await client.query<{ id: string }>({
      name: 'open_session',
      text: OPEN_SESSION,
      values: [workspaceId, actor.id],
    });
    const id = ulid();
    const values = [
      workspaceId,
      id,
      projectId,
      rows[0]?.id ?? null,
      actor.id,
      input.title,
      input.rationale_markdown,
      input.decided_on,
      input.changes_public_contract,
      input.tags,
      input.paths,
      new Date().toISOString(),
      ulid(),
    ];
    const insert = client.query({ name: 'insert', text: INSERT, values });
    const readBack = client.query({ name: 'read_back', text: READ_BACK, values: [workspaceId, id] });
    await Promise.all([begun, insert, readBack]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
