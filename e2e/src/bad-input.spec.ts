import { catalogue, findOperation, type OperationContract } from '@perdure/contracts';
import type { TestActor, TestApp, TestWorkspace } from '@perdure/testkit';
import { operationsWithArguments } from './testing/argument-kinds.js';
import { attemptsFor, holds, validInputs, type Attempt } from './testing/bad-input-attempts.js';
import { badInputCases, generated, type BadInputCase } from './testing/bad-input-cases.js';
import { faultsOf } from './testing/bad-input-checks.js';
import { fixtureFor, type Fixture } from './testing/call-fixture.js';
import { databaseSnapshot } from './testing/database-snapshot.js';
import { mcpDoor, trpcDoor, type Door, type Outcome } from './testing/doors.js';
import { isDue } from './testing/due-issues.js';
import type { McpClient } from './testing/official-clients.js';
import { withNumbers } from './testing/raw-numbers.js';
import { bodyFaults, type RawDoor } from './testing/raw-bodies.js';
import { restDoor } from './testing/rest-door.js';
import { expectGaplessChain } from './testing/stored-chain.js';
import { wholeStack, type WholeStack } from './testing/whole-stack.js';

let stack: WholeStack;
let apps: TestApp[];
let workspace: TestWorkspace;
let ownerClient: McpClient;
let fixture: Fixture;
let doors: Door[];
let rawDoors: RawDoor[];

beforeAll(async () => {
  stack = await wholeStack();
  const [gateway, api] = [await stack.start('mcp-gateway'), await stack.start('api')];
  apps = [gateway, api, await stack.start('audit-writer')];
  workspace = await stack.installation.workspace();
  const { platform } = stack.installation;
  const actorFor = ({ scope }: OperationContract): TestActor =>
    scope === 'platform:admin' ? platform : workspace.owner;
  ownerClient = await stack.connect(gateway, workspace.owner.token);
  const platformClient = await stack.connect(gateway, platform.token);
  doors = [
    mcpDoor((contract) => (actorFor(contract) === platform ? platformClient : ownerClient)),
    trpcDoor(api, (contract) => actorFor(contract).token),
    await restDoor(api, (name) => actorFor(operationNamed(name)).token),
  ];
  rawDoors = [
    { name: 'MCP', url: `${gateway.url}/mcp`, token: workspace.owner.token },
    { name: 'tRPC', url: `${api.url}/trpc/decisions.appendDecisionLog`, token: workspace.owner.token },
    { name: 'REST', url: `${api.url}/v1/decision-log`, token: workspace.owner.token },
  ];
  fixture = await fixtureFor(stack.installation, workspace.owner);
});

afterAll(() => stack.close());

const operations = operationsWithArguments();

test.each(operations.map(({ contract, parameters }) => ({ name: contract.name, contract, parameters })))(
  'the template has valid arguments for $name: every door accepts them, and no argument is missing',
  async ({ contract, parameters }) => {
    const inputs = await validInputs(contract, fixture);
    const untried = parameters.filter(({ path, kind }) => kind !== 'cursor' && !inputs.some((one) => holds(one, path)));
    expect(untried.map(({ path }) => path.join('.'))).toEqual([]);
    expect(await refusalsOfValid(contract)).toEqual([]);
  },
);

const due = badInputCases().filter(({ issue }) => isDue(issue));

test.each(due.map((one): [string, BadInputCase] => [one.id, one]))('%s', async (_id, badCase) => {
  if (badCase.field_kind === 'body') return expectBodyRefused(badCase);
  const faults: string[] = [];
  // What a refusal changes nothing of may serve every door; an accepted call uses up what it names.
  const shared = badCase.expect.result === 'refused' ? await attemptsFor(badCase, fixture) : null;
  const before = shared === null ? null : await databaseSnapshot(stack.admin);
  const tried = new Set<OperationContract>();
  for (const door of doors) {
    const attempts = shared ?? (await attemptsFor(badCase, fixture));
    for (const { contract } of attempts) tried.add(contract);
    for (const attempt of attempts.filter((one) => carries(door, one) && !isRefusedByItem(one, badCase))) {
      faults.push(...(await faultsAt(door, attempt, badCase)));
    }
  }
  if (before !== null) expect(await databaseSnapshot(stack.admin)).toEqual(before);
  // The batch around a bad item is taken: these write.
  for (const attempt of shared?.filter((one) => isRefusedByItem(one, badCase)) ?? []) {
    for (const door of doors) faults.push(...(await faultsOfItem(door, attempt, badCase)));
  }
  expect(tried.size).toBeGreaterThan(0);
  // The next valid call works; each operation is asked at one door, another one with each case.
  turn += 1;
  const nextDoors = doors.slice(turn % doors.length).slice(0, 1);
  for (const contract of tried) faults.push(...(await refusalsOfValid(contract, nextDoors)));
  expect(faults).toEqual([]);
});

let turn = 0;

test('after all of it the processes live and the audit chain verifies', async () => {
  for (const { url } of apps) expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await expectGaplessChain(stack.admin, workspace.id)).length).toBeGreaterThan(0);
  const { structuredContent } = await ownerClient.call('verify_audit_chain');
  expect(structuredContent).toMatchObject({ ok: true, pending: 0, findings: [] });
});

async function expectBodyRefused(badCase: BadInputCase): Promise<void> {
  const before = await databaseSnapshot(stack.admin);
  const faults = await Promise.all(rawDoors.map((door) => bodyFaults(door, badCase)));
  expect(faults.flat()).toEqual([]);
  expect(await databaseSnapshot(stack.admin)).toEqual(before);
  expect(await refusalsOfValid(catalogue.decisions.appendDecisionLog)).toEqual([]);
}

function operationNamed(name: string): OperationContract {
  const contract = findOperation(name);
  if (contract === undefined) throw new Error(`${name} is no operation`);
  return contract;
}

function isRefusedByItem({ contract, argument }: Attempt, { expect: { result } }: BadInputCase): boolean {
  const path = argument?.path ?? [];
  return result === 'refused' && path.length > 1 && path[0] === contract.itemwise?.argument;
}

/** README of the cases: refused by item while the batch is taken. What only exists elsewhere is found when it is applied. */
async function faultsOfItem(door: Door, { contract, argument, input }: Attempt, badCase: BadInputCase) {
  if ([badCase.expect.code].flat().includes('not_found')) return [];
  const { result, error } = await door.call(contract, input);
  const at = `${door.name} ${contract.name} ${argument?.path.join('.')}`;
  // A batch that does not fit is refused whole, where the case allows for that.
  if (error?.kind === 'too_large' && [badCase.expect.kind].flat().includes('too_large')) return [];
  if (error !== undefined) return [`${at}: the batch was refused: ${error.message}`];
  const read = await doors[1]?.call(catalogue.usage.getUsageBatch, { batch_id: result?.['batch_id'] });
  const [item] = (read?.result?.['results'] ?? []) as { line: number; code?: string; message?: string }[]; // OPERATIONS
  const named = item?.message?.includes(argument?.path.slice(2).join('.') ?? '') === true;
  return item?.line === 1 && item.code === 'invalid_input' && named ? [] : [`${at}: ${JSON.stringify(item)}`];
}

/** Longer ones do not fit into an address. */
const URL_LIMIT = 4_000;

/** In a path or a query string REST has text alone, and only text that is valid: no other value can be said there. */
function carries({ name }: Door, { contract: { route }, argument, value }: Attempt): boolean {
  if (name !== 'REST' || argument === null) return true;
  const inPath = route.path.includes(`{${argument.path[0]}}`);
  if (route.method !== 'GET' && !inPath) return true;
  // There the text is how a number is written.
  if (argument.kind === 'limit') return false;
  return typeof value === 'string' && value.isWellFormed() && (value !== '' || !inPath) && value.length < URL_LIMIT;
}

/** What is wrong with valid calls, through each of the doors; an empty list when they work. */
async function refusalsOfValid(contract: OperationContract, through: readonly Door[] = doors): Promise<string[]> {
  const refusals: string[] = [];
  for (const door of through) {
    for (const input of await validInputs(contract, fixture)) {
      const { error, malformed } = await door.call(contract, input);
      if (error !== undefined || malformed !== null) {
        refusals.push(`${door.name} ${contract.name}, valid: ${malformed ?? error?.message}`);
      }
    }
  }
  return refusals;
}

async function faultsAt(door: Door, attempt: Attempt, badCase: BadInputCase): Promise<string[]> {
  const { contract, argument, input } = attempt;
  const outcome = await door.call(contract, input);
  const faults = faultsOf(outcome, badCase.expect, attempt);
  const { round_trip, stored = round_trip === 'exact' ? attempt.value : undefined } = badCase.expect;
  const expected = withNumbers(generated(stored) ?? null) ?? undefined;
  if (expected !== undefined && !(await comesBack(attempt, outcome, expected))) faults.push('does not come back');
  return faults.map((fault) => `${door.name} ${contract.name} ${argument?.path.join('.') ?? ''}: ${fault}`);
}

/** Stored and read back code point for code point: in the answer, or where such a text is read. */
async function comesBack({ contract, argument, input }: Attempt, outcome: Outcome, stored: unknown): Promise<boolean> {
  if (contract.kind === 'query' || outcome.result === undefined) return true;
  const name = argument?.path.at(-1);
  // Of responses only what their models say is totalled.
  if (argument?.path.includes('responses') === true) return true;
  if (name === 'reason') return isReasonOfAnEvent(stored);
  if (contract.name === 'update_build_session_state') {
    const { build_session_id } = input;
    const read = await doors[0]?.call(catalogue.sessions.getBuildSession, { build_session_id });
    return valuesIn(read?.result).includes(JSON.stringify(stored));
  }
  if (contract.name === 'submit_usage_batch' && name !== 'batch_key') return isKept(outcome.result['batch_id'], stored);
  // A new lead stands on top of what was there.
  const lead = JSON.stringify(stored).slice(0, -1);
  const same = (text: string) =>
    name === 'new_lead_markdown' ? text.startsWith(lead) : text === JSON.stringify(stored);
  return valuesIn(outcome.result).some(same);
}

async function isKept(batchId: unknown, stored: unknown): Promise<boolean> {
  const { rows } = await stack.admin.query('SELECT report FROM usage_batch_item WHERE batch_id = $1', [batchId]);
  return valuesIn(rows).includes(JSON.stringify(stored));
}

async function isReasonOfAnEvent(reason: unknown): Promise<boolean> {
  const { rowCount } = await stack.admin.query(`SELECT FROM audit_payload WHERE payload::jsonb ->> 'reason' = $1`, [
    reason,
  ]);
  return rowCount !== 0;
}

/** Everything the answer holds at any depth, each as JSON. */
function valuesIn(value: unknown): string[] {
  const nested = typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [];
  return [JSON.stringify(value) ?? '', ...nested];
}
