import { createTestDatabase, type TestDatabase } from '@perdure/testkit';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';
import { WorkspaceEntity } from './entities/workspace.js';
import { translatePostgresError } from './postgres-errors.js';
import { withSavepoint, withWorkspace } from './transaction.js';

const MINE = '01KB0000000000000000000001';
const THEIRS = '01KB0000000000000000000002';

/** A table whose deferred trigger, which runs inside COMMIT, ends the connection. */
const BREAKS_AT_COMMIT = `
  CREATE TABLE breaks_at_commit (n int);
  GRANT INSERT ON breaks_at_commit TO perdure_app;
  CREATE FUNCTION break_connection() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON breaks_at_commit DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION break_connection();
`;

async function runSql(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(sql);
  await client.end();
}

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

  const prepared = (source: DataSource) =>
    withWorkspace(source, MINE, async (tx) => {
      for (const n of [1, 2, 3]) await tx.rows('SELECT $1::int AS n', [n]);
      return tx.rows<{ statement: string; from_sql: boolean }>(
        `SELECT statement, from_sql FROM pg_prepared_statements WHERE statement = 'SELECT $1::int AS n'`,
      );
    });

  it('A2: a statement that was sent and fails takes the whole transaction with it, and its error is told', async () => {
    const name = (id: string) => withWorkspace(dataSource, id, (tx) => tx.first('SELECT name FROM workspace'));
    const failed = withWorkspace(dataSource, MINE, async (tx) => {
      await tx.run(`UPDATE workspace SET name = 'changed'`);
      tx.send('INSERT INTO workspace (workspace_id, slug, name, created_at) VALUES ($1, $2, $2, now())', [MINE, 'x']);
      return 'answered';
    });
    await expect(failed).rejects.toMatchObject({ code: '23505' });
    expect(await name(MINE)).toEqual({ name: 'mine' });
    await withWorkspace(dataSource, THEIRS, async (tx) => tx.send(`UPDATE workspace SET name = 'theirs now'`));
    expect(await name(THEIRS)).toEqual({ name: 'theirs now' });
  });

  it('Postgres keeps a statement by name, once for each connection', async () => {
    for (const _ of [1, 2, 3]) {
      expect(await prepared(dataSource)).toEqual([{ statement: 'SELECT $1::int AS n', from_sql: false }]);
    }
  });

  it('statements run without names behind a pooler that does not hand them on', async () => {
    const source = await createDataSource({
      url: database.appUrl,
      poolSize: 1,
      applicationName: 'test',
      preparedStatements: false,
    });
    expect(await prepared(source)).toEqual([]);
    await source.destroy();
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

  const statementsLike = async (pattern: string): Promise<number> => {
    const rows: unknown[] = await dataSource.query(
      `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE $1 AND pid <> pg_backend_pid()`,
      [pattern],
    );
    return rows.length;
  };

  const whenRunning = async (pattern: string, count: number) => {
    while ((await statementsLike(pattern)) !== count) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it('G6: the statement of an aborted call is cancelled, and what would follow it is not sent', async () => {
    const aborter = new AbortController();
    const reached: string[] = [];
    const work = withWorkspace(
      dataSource,
      MINE,
      async (tx) => {
        // One that goes on after a failure, as a handler might.
        await tx.run(`SELECT pg_sleep(600) /* first */`).catch(() => reached.push('cancelled'));
        await tx.run(`SELECT pg_sleep(600) /* second */`);
      },
      { signal: aborter.signal },
    );
    work.catch(() => undefined);
    await whenRunning('%/* first */', 1);
    aborter.abort(new Error('gone'));
    await expect(work).rejects.toThrow('gone');
    expect(reached).toEqual(['cancelled']);
    await whenRunning('SELECT pg_sleep%', 0);
  });

  it('G6: a cancellation never hits the next call on the same connection', async () => {
    const source = await createDataSource({ url: database.appUrl, poolSize: 1, applicationName: 'test' });
    for (let round = 0; round < 100; round += 1) {
      const aborter = new AbortController();
      const first = withWorkspace(source, MINE, (tx) => tx.run('SELECT pg_sleep(0.002)'), { signal: aborter.signal });
      const next = withWorkspace(source, MINE, (tx) => tx.first<{ n: number }>('SELECT 1 AS n FROM pg_sleep(0.002)'));
      setTimeout(() => aborter.abort(new Error('gone')), round % 5);
      await first.catch((error: unknown) => expect(String(error)).toContain('gone'));
      expect(await next).toEqual({ n: 1 });
    }
    await source.destroy();
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
      const outcome = (sql: string) => tx.run(sql).then(() => '', String);
      await outcome('SELECT pg_terminate_backend(pg_backend_pid())');
      // The driver learns of it in its own time.
      while (!(await outcome('SELECT 1')).includes('not queryable')) await new Promise(setImmediate);
      await tx.entities.find(WorkspaceEntity);
    });
    const refusal = await lost.catch(translatePostgresError);
    expect(refusal).toMatchObject({ code: 'unavailable' });
  });

  it('O5: a connection that breaks during the commit does not have the caller told that nothing was written', async () => {
    await runSql(database.superuserUrl, BREAKS_AT_COMMIT);
    const lost = withWorkspace(dataSource, MINE, (tx) => tx.run('INSERT INTO breaks_at_commit VALUES (1)'));
    const refusal = await lost.catch(translatePostgresError);
    const message = expect.stringContaining('is not known') as string; // what jest's matcher stands for
    expect(refusal).toMatchObject({ code: 'unavailable', message });
    expect(JSON.stringify(refusal)).not.toContain('nothing was written');
  });

  it('survives a connection that is ended under it', async () => {
    const lost = withWorkspace(dataSource, MINE, (tx) => tx.run('SELECT pg_terminate_backend(pg_backend_pid())'));
    await expect(lost).rejects.toThrow();
    expect(await slugs(MINE)).toEqual(['mine']);
  });
});
