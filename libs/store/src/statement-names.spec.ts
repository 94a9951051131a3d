import { createTestDatabase, type TestDatabase } from '@perdure/testkit';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';
import { nameStatements, PLAN_MS, statementNamesOf } from './statement-names.js';
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
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
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

  it('a statement is planned for good after a few calls, and again once its plan was dropped', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const planned = await genericPlans();
    expect(planned).toBeGreaterThan(0);
    now.mockReturnValue(1_000_000 + PLAN_MS);
    // The plans were dropped before BEGIN; the name and its counts stay.
    expect(await genericPlans()).toBeGreaterThan(planned);
  });

  it('plans are dropped once in five seconds, and never before there are any', () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const names = newNames();
    const client = {};
    const renewals = [0, 1, PLAN_MS - 1, PLAN_MS, PLAN_MS + 1].map((passed) => {
      now.mockReturnValue(1_000_000 + passed);
      return names.renewal(client);
    });
    expect(renewals).toEqual(['', '', '', 'DISCARD PLANS; ', '']);
  });
});
