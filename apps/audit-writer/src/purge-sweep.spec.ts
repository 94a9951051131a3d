import { catalogue, DomainError } from '@perdure/contracts';
import { purgeDueWorkspaces, type PurgedWorkspace } from '@perdure/store';
import { withConnection } from '@perdure/service';
import { refusalOf, type TestWorkspace } from '@perdure/testkit';
import { linkPending } from './link-pending.js';
import { openAuditBench, type AuditBench } from './testing/audit-bench.js';
import { LINK_OPTIONS } from './testing/link-options.js';

const { platform, audit } = catalogue;

describe('deleting workspaces past their grace', () => {
  let bench: AuditBench;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    bench = await openAuditBench();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    workspace = await bench.installation.workspace();
    await bench.record(workspace.id, 3);
  });

  const schedule = (grace_days: number) =>
    bench.installation.call(platform.deleteWorkspace, bench.installation.platform, {
      workspace: workspace.id,
      reason: 'contract ended',
      grace_days,
    });
  const link = () => linkPending(bench.writer, LINK_OPTIONS);
  const purge = (): Promise<PurgedWorkspace[]> =>
    withConnection(
      () => bench.writer.connect(),
      (client) => purgeDueWorkspaces(client, () => new Date().toISOString()),
    );
  const tables = async () => {
    const { rows } = await bench.admin.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'`,
    );
    return rows.map(({ name }) => name);
  };
  const rowsOf = async (workspaceId: string) => {
    let count = 0;
    for (const table of await tables()) {
      count += (await bench.admin.query(`SELECT FROM ${table} WHERE workspace_id = $1`, [workspaceId])).rowCount ?? 0;
    }
    return count;
  };
  const deletedEvents = async () => {
    const { items } = await bench.installation.call(audit.listAuditEvents, await installationAuditor(), {
      type: 'workspace.deleted',
      subject_id: workspace.id,
    });
    return items;
  };
  /** The chain of the installation is read by whoever holds `audit:read` in its own workspace. */
  async function installationAuditor() {
    const { caller, token } = bench.installation.platform;
    return { token, caller: { ...caller, scopes: new Set(['audit:read'] as const) } };
  }

  it('I4: one whose time has come is gone with every row, and its final head stands on the installation’s chain', async () => {
    const neighbour = await bench.installation.workspace('neighbour');
    await schedule(0);
    await link();
    const chain = await bench.chainOf(workspace.id);
    const before = await rowsOf(neighbour.id);
    const { rows: head } = await bench.admin.query<{ head: string }>(
      `SELECT encode(head_hash, 'hex') AS head FROM audit_head WHERE workspace_id = $1`,
      [workspace.id],
    );
    expect(await purge()).toEqual([{ workspaceId: workspace.id, slug: expect.any(String), size: chain.length }]);
    expect(await rowsOf(workspace.id)).toBe(1); // its tombstone
    expect(await rowsOf(neighbour.id)).toBe(before);
    await link();
    const [event] = await deletedEvents();
    expect(event).toMatchObject({
      actor_ref: bench.installation.platform.caller.actor.id,
      payload: { chain_size: chain.length, chain_head: head[0]?.head },
    });
    expect(await bench.findings({ ...workspace, owner: await installationAuditor() })).toEqual([]);
    bench.installation.operations.accessChanges.lookNext();
    expect(await bench.installation.operations.authenticate(workspace.owner.token)).toBeNull();
    expect(await purge()).toEqual([]);
  });

  it('I3, I4: what people approved and are signed in with is gone with it, tokens of programs too', async () => {
    const { credentialId, member } = workspace.owner.caller;
    const ids = [workspace.id, credentialId, member?.id ?? ''];
    await bench.admin.query(
      `INSERT INTO mcp_grant (workspace_id, credential_id, client_id, client_name, redirect_host)
       VALUES ($1, $2, 'c', 'c', 'localhost')`,
      ids.slice(0, 2),
    );
    await bench.admin.query(
      `INSERT INTO oauth_artifact (kind, id_digest, credential_id, payload, expires_at)
       VALUES ('RefreshToken', sha256('t'), $1, '{}', now() + interval '1 day')`,
      [credentialId],
    );
    await bench.admin.query(
      `INSERT INTO web_session (workspace_id, id, member_id, secret_digest, user_agent, created_at, seen_at, expires_at)
       VALUES ($1, $2, $3, sha256('s'), 'b', now(), now(), now() + interval '1 day')`,
      ids,
    );
    await schedule(0);
    await link();
    expect(await purge()).toHaveLength(1);
    const { rows } = await bench.admin.query('SELECT FROM oauth_artifact WHERE credential_id = $1', [credentialId]);
    expect(rows).toEqual([]);
    expect(await rowsOf(workspace.id)).toBe(1);
  });

  it('I4: nothing is deleted before its time, nor what was resumed', async () => {
    await schedule(1);
    await link();
    expect(await purge()).toEqual([]);
    await bench.admin.query(`UPDATE workspace SET delete_after = now() - interval '1 hour' WHERE workspace_id = $1`, [
      workspace.id,
    ]);
    const { workspace: resumed } = await bench.installation.call(
      platform.resumeWorkspace,
      bench.installation.platform,
      { workspace: workspace.id, reason: 'paid' },
    );
    expect(resumed).toMatchObject({ status: 'active', delete_after: null });
    expect(await purge()).toEqual([]);
    expect(await rowsOf(workspace.id)).toBeGreaterThan(0);
  });

  it('I4, A2: one with an event that is not linked yet waits for it', async () => {
    await schedule(0);
    expect(await purge()).toEqual([]);
    await link();
    expect(await purge()).toHaveLength(1);
  });

  it('I4: one that somebody still writes waits for the commit', async () => {
    await schedule(0);
    await link();
    await bench.whileUncommitted(workspace.id, async () => expect(await purge()).toEqual([]));
    expect(await purge()).toEqual([]);
    await link();
    expect(await purge()).toHaveLength(1);
  });

  it('I4: two writers at once delete it once', async () => {
    await schedule(0);
    await link();
    const purged = (await Promise.all([purge(), purge(), purge()])).flat();
    expect(purged).toHaveLength(1);
    await link();
    expect(await deletedEvents()).toHaveLength(1);
  });

  it('A3: the writer cannot delete what is not due, and no other role can ask for it', async () => {
    const call = `SELECT perdure_purge_workspace($1, '01K5ZQ8W3M9X7B2C4D6E8F0G1H', 'x', 'x', '', '', '', '')`;
    await expect(bench.writer.query(call, [workspace.id])).rejects.toThrow('not due');
    const functions = ['perdure_due_deletions()', 'perdure_close_workspace(text)'];
    for (const role of ['perdure_app', 'perdure_ingest', 'perdure_queue', 'public']) {
      for (const name of functions) {
        const { rows } = await bench.admin.query<{ may: boolean }>('SELECT has_function_privilege($1, $2, $3) AS may', [
          role,
          name,
          'EXECUTE',
        ]);
        expect([role, name, rows[0]?.may]).toEqual([role, name, false]);
      }
    }
  });

  it('I4: writes to one that is about to be deleted are refused, and to one that is gone', async () => {
    await schedule(0);
    const write = () => bench.installation.call(catalogue.projects.createProject, workspace.owner, { name: 'x' });
    expect((await refusalOf(write())).code).toBe('workspace_suspended');
    await link();
    await purge();
    const refused = await write().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    expect(refused).toMatchObject({ code: 'unauthenticated' });
  });
});
