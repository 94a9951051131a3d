import { catalogue, findOperation, type OperationContract } from '@perdure/contracts';
import { testQueueKind, type TestActor, type TestApp, type TestWorkspace } from '@perdure/testkit';
import { Pool } from 'pg';
import { DECISION, fixtureFor, ITEM, RULE } from './testing/call-fixture.js';
import { databaseSnapshot } from './testing/database-snapshot.js';
import { mcpDoor, trpcDoor, type Door, type Outcome } from './testing/doors.js';
import { eventually } from './testing/eventually.js';
import { monitorRedis, type RedisMonitor } from './testing/redis-monitor.js';
import { restDoor } from './testing/rest-door.js';
import { lookAlikes, offeredSecrets, type OfferedSecret } from './testing/secret-cases.js';
import { secretFields, type SecretField } from './testing/secret-fields.js';
import { makeOffers, type OfferOutcomes } from './testing/secret-offers.js';
import { indexFiles, SecretTraces, storedRows } from './testing/secret-traces.js';
import { linked } from './testing/stored-chain.js';
import { wholeStack, type WholeStack } from './testing/whole-stack.js';

let stack: WholeStack;
let apps: TestApp[];
let workspace: TestWorkspace;
let doors: Door[];
let project: string;
let fields: SecretField[];
let secrets: OfferedSecret[];
let traces: SecretTraces;
let queue: RedisMonitor | null;
let outcomes: OfferOutcomes;
let before: Record<string, string>;

beforeAll(async () => {
  stack = await wholeStack();
  const [gateway, api] = [await stack.start('mcp-gateway'), await stack.start('api')];
  apps = [gateway, api, await stack.start('audit-writer'), await stack.start('usage-ingest')];
  queue = testQueueKind() === 'redis' ? await monitorRedis(stack.queueUrl) : null;
  workspace = await stack.installation.workspace();
  const { platform, call } = stack.installation;
  const actorFor = ({ scope }: OperationContract): TestActor =>
    scope === 'platform:admin' ? platform : workspace.owner;
  const [own, operator] = [
    await stack.connect(gateway, workspace.owner.token),
    await stack.connect(gateway, platform.token),
  ];
  doors = [
    mcpDoor((contract) => (actorFor(contract) === platform ? operator : own)),
    trpcDoor(api, (contract) => actorFor(contract).token),
    await restDoor(api, (name) => (findOperation(name)?.scope === 'platform:admin' ? platform : workspace.owner).token),
  ];
  const fixture = await fixtureFor(stack.installation, workspace.owner);
  project = fixture.project;
  fields = await secretFields(fixture);
  const { secret } = await call(catalogue.access.issueCredential, workspace.owner, {
    actor: 'pasted',
    preset: 'agent',
  });
  secrets = offeredSecrets(secret ?? '');
  await linked(stack.admin, [workspace.id]);
  before = await databaseSnapshot(stack.admin);
  traces = new SecretTraces(secrets);
});

afterAll(async () => {
  queue?.close();
  await stack.close();
});

test('L4: every text field of every operation refuses secrets of every format, at all three doors', async () => {
  // Every pair stands in the test of the dispatcher's guard and in a field case; here each field meets every other
  // secret, and those at one door after the other.
  const offers = fields.flatMap((field, row) =>
    secrets.flatMap((offered, column) => {
      const door = doors[(row + (column >> 1)) % doors.length];
      return door === undefined || (row + column) % 2 === 1 ? [] : [{ field, offered, door }];
    }),
  );
  outcomes = await makeOffers(offers);
  expect(outcomes.faults).toEqual([]);
  expect(await databaseSnapshot(stack.admin)).toEqual(before);
}, 300_000);

test('L4: what was refused is in no table, index, log line, queue payload or error text', async () => {
  // A call that is accepted goes the whole way, so that writer and queue have had their turn since.
  for (const { name, call } of doors) {
    const { error } = await call(catalogue.projects.createProject, { name: `by ${name}` });
    expect(error).toBeUndefined();
  }
  await linked(stack.admin, [workspace.id]);

  for (const [table, content] of await storedRows(stack.admin))
    expect([table, traces.in(content)]).toEqual([table, []]);
  for (const [index, content] of await indexFiles(stack.admin))
    expect([index, traces.in(content)]).toEqual([index, []]);
  for (const app of apps) {
    expect(app.log()).not.toBe('');
    expect(traces.in(app.log())).toEqual([]);
  }
  expect(traces.in(outcomes.answers)).toEqual([]);
  expect(traces.in(await queueContent())).toEqual([]);
}, 120_000);

/** All that was sent to Redis meanwhile, or what the tables of the queue hold. */
async function queueContent(): Promise<string> {
  if (queue !== null) {
    const monitor = queue;
    // The proof that the payloads were seen: a wake-up carries the workspace's id.
    await eventually('a wake-up was seen', async () => monitor.commands().includes(workspace.id));
    return monitor.commands();
  }
  const pool = new Pool({ connectionString: stack.queueUrl });
  const content = [...(await storedRows(pool)).values()].join('\n');
  await pool.end();
  return content;
}

test('L4: the scan finds a secret wherever it hides: in text, in capitals, in words of an index, in bytes', async () => {
  const [first] = secrets;
  const { secret } = first ?? { secret: '' };
  for (const hidden of [
    secret,
    secret.toUpperCase(),
    `{"a":"${secret.slice(3, 14)}"}`,
    `\\x${Buffer.from(secret).toString('hex')}`,
  ]) {
    expect(traces.in(`row (${hidden})`)).toEqual([first?.id]);
  }
});

/** Texts that are read back in the answer that stores them. */
const ROUND_TRIPS: readonly [OperationContract, (text: string) => object, (result: Outcome['result']) => unknown][] = [
  [
    catalogue.decisions.appendDecisionLog,
    (text) => ({ ...DECISION, project, rationale_markdown: text }),
    (result) => textIn(result, 'decision', 'rationale_markdown'),
  ],
  [
    catalogue.backlog.fileBacklogItem,
    (text) => ({ ...ITEM, project, body_markdown: text }),
    (result) => textIn(result, 'backlog_item', 'body_markdown'),
  ],
  [
    catalogue.rules.createRule,
    (text) => ({ ...RULE, project, body_markdown: text }),
    (result) => textIn(result, 'rule', 'body_markdown'),
  ],
];

const textIn = (result: Outcome['result'], object: string, field: string): unknown =>
  (result?.[object] as Readonly<Record<string, unknown>> | undefined)?.[field]; // as the contracts have them

test('L4: look-alikes are accepted at all three doors and come back byte for byte', async () => {
  const faults: string[] = [];
  for (const [index, { id, text }] of lookAlikes().entries()) {
    for (const [turn, [contract, inputWith, storedIn]] of ROUND_TRIPS.entries()) {
      const door = doors[(index + turn) % doors.length];
      const { result, error } = (await door?.call(contract, inputWith(text))) ?? {};
      if (storedIn(result) !== text) faults.push(`${door?.name} ${contract.name} ${id}: ${error?.message}`);
    }
  }
  expect(faults).toEqual([]);
});
