import { createTestDatabase, type TestDatabase } from '@perdure/testkit';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';
import { WorkspaceEntity } from './entities/workspace.js';
import { translatePostgresError } from './postgres-errors.js';
import { withSavepoint, withWorkspace } from './transaction.js';

const MINE = '01KB0000000000000000000001';
const THEIRS = '01KB0000000000000000000002';

describe('the tenant transaction', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource({ url: database.appUrl, poolSize: 2, applicationName: 'test' });
    for (const [id, slug] of [
      [MINE, 'mine'],
      [THEIRS, 'theirs'],
    ] as const) {
      await withWorkspace(dataSource, id, (tx) =>
        tx.run(`INSERT INTO workspace (workspace_id, slug, name, created_at) VALUES ($1, $2, $2, now())`, [id, slug]),
      );
    }
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const slugs = (id: string) =>
    withWorkspace(dataSource, id, async (tx) =>
      (await tx.rows<{ slug: string }>('SELECT slug FROM workspace')).map((row) => row.slug),
    );

  it('I1: 200 interleaved transactions through two connections see their own workspace only', async () => {
    const seen = await Promise.all(Array.from({ length: 200 }, (_, index) => slugs(index % 2 === 0 ? MINE : THEIRS)));
    seen.forEach((found, index) => expect(found).toEqual([index % 2 === 0 ? 'mine' : 'theirs']));
  });

  it('I1: the next borrower of a connection has no workspace', async () => {
    await slugs(MINE);
    const rows: { workspace: string | null }[] = await dataSource.query(
      `SELECT current_setting('perdure.workspace_id', true) AS workspace`,
    );
    expect(rows[0]?.workspace ?? '').toBe('');
  });

  it('I1: a row of another workspace cannot be written', async () => {
    const foreign = withWorkspace(dataSource, MINE, (tx) =>
      tx.run(`INSERT INTO actor (workspace_id, id, name, kind, created_at) VALUES ($1, $1, 'x', 'agent', now())`, [
        THEIRS,
      ]),
    );
    await expect(foreign).rejects.toMatchObject({ code: '42501' });
  });

  it('refuses a workspace id that is no ULID before it reaches a statement', async () => {
    await expect(withWorkspace(dataSource, `x'; DROP TABLE actor; --`, async () => 1)).rejects.toThrow(TypeError);
  });

  it('G6: a call that was aborted before its commit leaves nothing', async () => {
    const aborter = new AbortController();
    const work = withWorkspace(
      dataSource,
      MINE,
      async (tx) => {
        await tx.run(`UPDATE workspace SET name = 'changed'`);
        aborter.abort(new Error('gone'));
      },
      { signal: aborter.signal },
    );
    await expect(work).rejects.toThrow('gone');
    const [row] = await withWorkspace(dataSource, MINE, (tx) =>
      tx.rows<{ name: string }>('SELECT name FROM workspace'),
    );
    expect(row?.name).toBe('mine');
  });

  it('a failure inside a savepoint undoes only its own work', async () => {
    const name = await withWorkspace(dataSource, MINE, async (tx) => {
      await tx.run(`UPDATE workspace SET name = 'before'`);
      const attempt = withSavepoint(tx, async () => {
        await tx.run(`UPDATE workspace SET name = 'inside'`);
        await tx.run('SELECT 1/0');
      });
      await expect(attempt).rejects.toMatchObject({ code: '22012' });
      return (await tx.first<{ name: string }>('SELECT name FROM workspace'))?.name;
    });
    expect(name).toBe('before');
  });

  it('O5: a read by entity after the connection broke is refused like any other statement', async () => {
    const lost = withWorkspace(dataSource, MINE, async (tx) => {
      await tx.run('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
      await tx.entities.find(WorkspaceEntity);
    });
    const refusal = await lost.catch(translatePostgresError);
    expect(refusal).toMatchObject({ code: 'unavailable' });
  });

  it('survives a connection that is ended under it', async () => {
    const lost = withWorkspace(dataSource, MINE, (tx) => tx.run('SELECT pg_terminate_backend(pg_backend_pid())'));
    await expect(lost).rejects.toThrow();
    expect(await slugs(MINE)).toEqual(['mine']);
  });
});
