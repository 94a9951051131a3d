import { allOperations, catalogue, type OperationContract } from '@perdure/contracts';
import type { TestApp } from '@perdure/testkit';
import { seededRandom } from './testing/seeded-random.js';
import {
  argumentsWith,
  mapTexts,
  openLists,
  openParty,
  openTenant,
  rowsOf,
  ULID,
  type Exchange,
  type Party,
  type Tenant,
} from './testing/tenant.js';
import { wholeStack, type WholeStack } from './testing/whole-stack.js';

const SEEDS = [20_261_130, 7];
const STEPS = 110;

let stack: WholeStack;
let apps: { gateway: TestApp; api: TestApp };
let tenants: readonly [Tenant, Tenant];
let operator: Party;

beforeAll(async () => {
  stack = await wholeStack({ env: { PERDURE_LOG_LEVEL: 'debug' } });
  apps = { gateway: await stack.start('mcp-gateway'), api: await stack.start('api') };
  await stack.start('audit-writer');
  tenants = [await openTenant(stack, apps, 'canaryada'), await openTenant(stack, apps, 'canaryeve')];
  operator = await openParty(stack, apps, 'operator', stack.installation.platform);
});

afterAll(() => stack.close());

const ofTenants = allOperations.filter(({ area }) => area !== 'platform');
const ofPlatform = allOperations.filter(({ area }) => area === 'platform');

/** One step of a run: somebody calls something, and what the others have is as it was. */
class Run {
  private readonly choose: (below: number) => number;

  constructor(seed: number) {
    this.choose = seededRandom(seed);
  }

  async step(): Promise<void> {
    const [one, other] = this.choose(2) === 0 ? tenants : ([tenants[1], tenants[0]] as const);
    const kind = this.choose(10);
    if (kind === 0) await this.untouched([one, other], () => this.byOperator(one));
    else if (kind === 1) await this.foreignCursor(one, other);
    else if (kind <= 4) await this.untouched([other], () => this.withForeignThings(one, other));
    else await this.untouched([other], () => this.ordinary(one, other));
  }

  /** Their own things, and at times a search for what only the other has written. */
  private async ordinary(one: Tenant, other: Tenant): Promise<void> {
    const contract = this.oneOf(ofTenants);
    const looks = contract.kind === 'query' && this.choose(2) === 0;
    const text = looks ? other.mark : `${one.mark} ${this.choose(1_000)}`;
    const input = await argumentsWith(contract, one.fixture, { choose: this.choose, text });
    await one.owner.call(contract, { ...input, ...this.key(contract) }, this.choose(3));
  }

  /** A valid call with things of the other workspace in the place of their own. */
  private async withForeignThings(one: Tenant, other: Tenant): Promise<void> {
    const contract = this.oneOf(ofTenants);
    const input = await argumentsWith(contract, one.fixture, { choose: this.choose, text: one.mark });
    const foreign = mapTexts(input, (text) => (text.match(ULID)?.[0] === text ? this.oneOf(other.things) : text));
    await one.owner.call(contract, foreign as typeof input, this.choose(3)); // the same keys
  }

  private async foreignCursor(one: Tenant, other: Tenant): Promise<void> {
    const contract = this.oneOf(openLists);
    const { result } = await other.owner.call(contract, { limit: 1 }, this.choose(3));
    const cursor = result?.['next_cursor'];
    if (typeof cursor !== 'string') return;
    const { error } = await one.owner.call(contract, { limit: 1, cursor }, this.choose(3));
    expect([contract.name, error?.code]).toEqual([contract.name, 'invalid_cursor']);
  }

  /** The operator: platform operations on workspaces of nobody, and anything of a tenant's, which is refused. */
  private async byOperator(one: Tenant): Promise<void> {
    const contract = this.oneOf(this.choose(2) === 0 ? ofPlatform : ofTenants);
    const input = await argumentsWith(contract, one.fixture, { choose: this.choose, text: 'about nobody' });
    const { error } = await operator.call(contract, { ...input, ...this.key(contract) }, this.choose(3));
    if (contract.area !== 'platform' && contract.scope !== 'any') expect(error?.code).toBe('forbidden_scope');
  }

  private async untouched(those: readonly Tenant[], work: () => Promise<void>): Promise<void> {
    // What the work needs of its own is made by it, so only the others are compared; the operator's things are nobody's.
    const others = those.length === 2 ? [] : those;
    const before = await Promise.all(others.map(({ id }) => rowsOf(stack.admin, id)));
    await work();
    expect(await Promise.all(others.map(({ id }) => rowsOf(stack.admin, id)))).toEqual(before);
  }

  /** Few keys, the same for everybody. */
  private key({ kind }: OperationContract): { idempotency_key?: string } {
    return kind === 'mutation' && this.choose(3) === 0 ? { idempotency_key: `key-${this.choose(5)}` } : {};
  }

  private oneOf<Item>(items: readonly Item[]): Item {
    const item = items[this.choose(items.length)];
    if (item === undefined) throw new Error('there is nothing to choose from');
    return item;
  }
}

test.each(SEEDS)(
  'I1: random calls of two workspaces and an operator touch nothing of each other (seed %i)',
  async (seed) => {
    const run = new Run(seed);
    for (let step = 0; step < STEPS; step += 1) await run.step();
  },
);

test('I1: no answer and no refusal holds anything of another workspace', async () => {
  for (const [one, other] of [tenants, [tenants[1], tenants[0]]] as const) {
    const foreign = await idsOf(other);
    const leaks = one.owner.heard.flatMap((exchange) => leaksIn(exchange, other.mark, foreign));
    expect(leaks).toEqual([]);
    const answered = one.owner.heard.filter(({ outcome }) => outcome.error === undefined);
    // Otherwise all of this would prove little.
    expect(answered.length).toBeGreaterThan(STEPS / 2);
    expect(one.owner.heard.filter(({ outcome }) => outcome.malformed !== null)).toEqual([]);
  }
});

test('I4: what the operator hears holds nothing that a tenant wrote', async () => {
  for (const tenant of tenants) {
    const ids = await idsOf(tenant);
    ids.delete(tenant.id);
    expect(operator.heard.flatMap((exchange) => leaksIn(exchange, tenant.mark, ids))).toEqual([]);
  }
  expect(operator.heard.filter(({ outcome }) => outcome.error === undefined).length).toBeGreaterThan(3);
});

test('I1: the same idempotency key in two workspaces is two keys', async () => {
  const input = { name: 'the same', idempotency_key: 'shared' };
  const ids = [];
  for (const { owner } of tenants) {
    const { result, replayed } = await owner.call(catalogue.projects.createProject, input, 2);
    expect(replayed).toBe(false);
    ids.push((result?.['project'] as { id: string }).id); // the contract's
  }
  expect(new Set(ids).size).toBe(2);
});

test('I1: counts are of the own workspace', async () => {
  for (const { owner, id } of tenants) {
    const { result } = await owner.call(catalogue.backlog.countBacklogItems, {}, 0);
    const { rows } = await stack.admin.query<{ status: string; count: number }>(
      'SELECT status, count(*)::int AS count FROM backlog_item WHERE workspace_id = $1 GROUP BY status',
      [id],
    );
    expect(result?.['by_status']).toMatchObject(Object.fromEntries(rows.map(({ status, count }) => [status, count])));
  }
});

test('I1: log lines hold no text of anybody, and none of a workspace names a thing of another', async () => {
  const lines = [apps.gateway, apps.api].flatMap((app) => app.log().trim().split('\n'));
  expect(lines.length).toBeGreaterThan(STEPS);
  for (const [one, other] of [tenants, [tenants[1], tenants[0]]] as const) {
    expect(lines.filter((line) => line.includes(one.mark))).toEqual([]);
    const foreign = await idsOf(other);
    const own = lines.filter((line) => line.includes(`"workspace_id":"${one.id}"`));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((line) => (line.match(ULID) ?? []).some((id) => foreign.has(id)))).toEqual([]);
  }
});

/** Every id that stands in a row of the workspace. Ids are of one workspace: those that both hold are no ids of ours. */
async function idsOf({ id }: Tenant): Promise<Set<string>> {
  const content = Object.values(await rowsOf(stack.admin, id)).join(' ');
  return new Set(content.match(ULID));
}

/** What a call brought to light that was not in the call itself. */
function leaksIn({ operation, door, sent, outcome }: Exchange, mark: string, ids: ReadonlySet<string>): string[] {
  const asked = new Set(sent.match(ULID));
  const found = (outcome.text.match(ULID) ?? []).filter((id) => ids.has(id) && !asked.has(id));
  const told = outcome.text.includes(mark) && !sent.includes(mark) ? [mark] : [];
  return [...found, ...told].map((leak) => `${door} ${operation}: ${leak}`);
}
