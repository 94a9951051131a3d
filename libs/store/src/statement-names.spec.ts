import { createTestDatabase, type TestDatabase } from '@perdure/testkit';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';
import { nameStatements, statementNamesOf } from './statement-names.js';
import { withWorkspace } from './transaction.js';

const WORKSPACE = '01KB0000000000000000000001';

function newNames() {
  const source = {};
  nameStatements(source, true);
  const names = statementNamesOf(source);
  if (names === undefined) throw new Error('the source was just given names');
  return names;
}

it('a text has one name, and texts beyond the five hundredth run unnamed', () => {
  const names = newNames();
  const given = Array.from({ length: 600 }, (_, index) => names.of(`SELECT ${index}`));
  expect(new Set(given.slice(0, 500)).size).toBe(500);
  expect(given.slice(500)).toEqual(Array.from({ length: 100 }, () => undefined));
  expect(names.of('SELECT 7')).toBe(given[7]);
});

describe('plans', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource({ url: database.appUrl, poolSize: 1, applicationName: 'test' });
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
    await database.drop();
  });

  /** How often Postgres has planned the statement for good, on the one connection. */
  const genericPlans = () =>
    withWorkspace(dataSource, WORKSPACE, async (tx) => {
      for (let call = 0; call < 10; call += 1) await tx.rows('SELECT name FROM workspace WHERE slug = $1', ['x']);
      const [row] = await tx.rows<{ generic_plans: string }>(
        `SELECT generic_plans FROM pg_prepared_statements WHERE statement LIKE 'SELECT name FROM workspace%'`,
      );
      return Number(row?.generic_plans);
    });

  it('a plan is kept for some seconds and then made anew, while the name stays', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    expect(await genericPlans()).toBeGreaterThan(0);
    now.mockReturnValue(1_004_999);
    expect(statementNamesOf(dataSource)?.renewal({})).toBe('');
    const client = {};
    const names = newNames();
    expect([names.renewal(client), names.renewal(client)]).toEqual(['', '']);
    now.mockReturnValue(1_010_000);
    expect(names.renewal(client)).toBe('DISCARD PLANS; ');
    // The transaction begins after it: the statement answers as before.
    expect(await genericPlans()).toBeGreaterThan(0);
  });
});
