import {
  allOperations,
  argumentsJsonSchema,
  catalogue,
  ERROR_KINDS,
  findOperation,
  operationExamples,
  SCOPE_PRESETS,
  type OperationContract,
  type OperationExample,
} from '@perdure/contracts';
import type { TestActor } from '@perdure/testkit';
import { mcpDoor, trpcDoor, type Door, type Outcome } from './testing/doors.js';
import { restDoor } from './testing/rest-door.js';
import { wholeStack, type WholeStack } from './testing/whole-stack.js';

const UNKNOWN = '01K5ZQ8W3M9X7B2C4D6E8F0G1H';
const PRESETS = ['agent', 'measurer', 'auditor', 'reporter', 'admin'] as const;
type Credential = (typeof PRESETS)[number] | 'platform';

let stack: WholeStack;
/** The three doors as each credential has them. */
const doors = new Map<Credential, Door[]>();
const doorsOf = (credential: Credential): Door[] => doors.get(credential) ?? [];

beforeAll(async () => {
  stack = await wholeStack();
  const [gateway, api] = [await stack.start('mcp-gateway'), await stack.start('api')];
  const workspace = await stack.installation.workspace();
  const open = async (credential: Credential, { token }: TestActor) => {
    const client = await stack.connect(gateway, token);
    doors.set(credential, [await restDoor(api, () => token), mcpDoor(() => client), trpcDoor(api, () => token)]);
  };
  for (const preset of PRESETS) await open(preset, await workspace.actor(`the-${preset}`, preset));
  await open('platform', stack.installation.platform);
});

afterAll(() => stack.close());

/** Through all three doors, the one at `start` first. */
async function throughAll(credential: Credential, contract: OperationContract, input: object, start = 0) {
  const all = doorsOf(credential);
  const outcomes: { door: string; outcome: Outcome }[] = [];
  for (const [index] of all.entries()) {
    const door = all[(start + index) % all.length];
    if (door !== undefined) outcomes.push({ door: door.name, outcome: await door.call(contract, input) });
  }
  return outcomes;
}

/** What a caller learns: the answer, or the refusal and its status. */
function learned(contract: OperationContract, door: string, { result, error, status, text }: Outcome): unknown {
  if (error !== undefined) return { error, status: status ?? ERROR_KINDS[error.kind] };
  // A place in time, and a stored secret, are not the same twice by design.
  const passing = new Set<string>(['cursor', ...(contract.disclosedOnce ?? [])]);
  const lasting = Object.fromEntries(Object.entries({ ...result }).filter(([key]) => !passing.has(key)));
  const { stream, download } = contract.route;
  // REST answers with the file itself.
  if (download !== undefined && !passing.has(download.inline)) {
    return { file: door === 'REST' ? text : result?.[download.inline] };
  }
  return stream === undefined || door === 'REST' ? lasting : { lines: [...stream.lines({ ...result })].join('') };
}

const byName = allOperations.map((contract) => [contract.name, contract] as const);

/**
 * Calls that any operation can be asked and that REST can say: whatever stands in the path is given. Input is judged
 * before scope and for everybody alike, so that one credential asks about each argument.
 */
function questionsFor({ route, input }: OperationContract, preset: Credential): Record<string, unknown>[] {
  const { properties } = argumentsJsonSchema(input) as { properties: Record<string, { type?: string }> }; // an object
  // In a query string one text is a list of one.
  const isListInQuery = (name: string) => route.method === 'GET' && properties[name]?.type === 'array';
  const wrong = (name: string) => (isListInQuery(name) ? ['a\u0000b'] : 'a\u0000b');
  const inPath = [...route.path.matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => [name, UNKNOWN] as const);
  const base = Object.fromEntries(inPath);
  return [
    base,
    { ...base, surplus: '1' },
    { ...base, build_session_id: UNKNOWN },
    ...(preset === 'admin' ? Object.keys(input.shape).map((name) => ({ ...base, [name]: wrong(name) })) : []),
  ];
}

describe.each(PRESETS)('T2: %s gets the same answer at every door', (preset) => {
  test.each(byName)('%s', async (_name, contract) => {
    for (const question of questionsFor(contract, preset)) {
      const answers = await throughAll(preset, contract, question);
      const [first, ...others] = answers.map(({ door, outcome }) => learned(contract, door, outcome));
      // What changes something changes it three times, so that only whether it may is the same.
      const changed = contract.kind === 'mutation' && answers.every(({ outcome }) => outcome.error === undefined);
      for (const other of others) if (!changed) expect(other).toEqual(first);
    }
  });
});

/** The least credential with that scope. */
const credentialFor = ({ scope }: OperationContract): Credential =>
  PRESETS.find((preset) => scope === 'any' || new Set<string>(SCOPE_PRESETS[preset]).has(scope)) ?? 'platform';

describe('T2, T4: the examples of the reference, in order, each at every door', () => {
  /** Ids of the examples and those that they stand for here. */
  const real = new Map<string, string>();
  const withRealIds = (input: object): object =>
    JSON.parse([...real].reduce((text, [sample, id]) => text.replaceAll(sample, id), JSON.stringify(input)));

  const numbered = operationExamples.map((example, index): [string, number, OperationExample] => [
    example.operation,
    index,
    example,
  ]);

  test.each(numbered)('%s (%i)', async (name, index, { input, yields }) => {
    const contract = findOperation(name);
    if (contract === undefined) throw new Error(`${name} is no operation`);
    const key = contract.kind === 'mutation' ? { idempotency_key: `example-${index}` } : {};
    const answers = await throughAll(credentialFor(contract), contract, { ...withRealIds(input), ...key }, index % 3);
    expect(answers.map(({ outcome }) => outcome.error)).toEqual([undefined, undefined, undefined]);
    const [first, ...others] = answers.map(({ door, outcome }) => learned(contract, door, outcome));
    for (const other of others) expect(other).toEqual(first);
    const replayed = contract.kind === 'mutation' ? [false, true, true] : [false, false, false];
    expect(answers.map(({ outcome }) => outcome.replayed)).toEqual(replayed);
    const result = answers.find(({ door }) => door === 'MCP')?.outcome.result ?? {};
    const status = answers.find(({ door }) => door === 'REST')?.outcome.status;
    const { accepted, creates } = contract.route;
    expect(status).toBe(accepted === true ? 202 : creates?.(result) === true ? 201 : 200);
    for (const [sample, path] of Object.entries(yields)) real.set(sample, textAt(result, path));
  });
});

function textAt(value: unknown, path: string): string {
  const found = path
    .split('.')
    .reduce<unknown>((inside, key) => (inside as Record<string, unknown> | undefined)?.[key], value); // any JSON value
  if (typeof found !== 'string') throw new Error(`the answer has no text at ${path}`);
  return found;
}

describe('T4: one idempotency key', () => {
  const { createProject } = catalogue.projects;
  const create = (door: Door, name: string, key: string) => door.call(createProject, { name, idempotency_key: key });

  test('sent through all doors at once makes one row', async () => {
    const sends = Array.from({ length: 7 }, () => doorsOf('agent')).flat();
    const outcomes = await Promise.all(sends.map((door) => create(door, 'At once', 'at-once')));
    expect(outcomes.map(({ error }) => error)).toEqual(sends.map(() => undefined));
    expect(new Set(outcomes.map(({ result }) => JSON.stringify(result))).size).toBe(1);
    expect(outcomes.filter(({ replayed }) => replayed !== true)).toHaveLength(1);
    const { rows } = await stack.admin.query(`SELECT 1 FROM project WHERE name = 'At once'`);
    expect(rows).toHaveLength(1);
  });

  test.each(['REST', 'MCP', 'tRPC'])('T4: 20 concurrent sends over %s make one row', async (name) => {
    const door = doorsOf('agent').find((one) => one.name === name);
    if (door === undefined) throw new Error(`there is no door ${name}`);
    const title = `By ${name}`;
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => create(door, title, `twenty-${name}`)));
    expect(outcomes.map(({ error }) => error)).toEqual(outcomes.map(() => undefined));
    expect(new Set(outcomes.map(({ result }) => JSON.stringify(result))).size).toBe(1);
    expect(outcomes.filter(({ replayed }) => replayed !== true)).toHaveLength(1);
    const { rowCount } = await stack.admin.query('SELECT FROM project WHERE name = $1', [title]);
    expect(rowCount).toBe(1);
    const other = await create(door, 'Another body', `twenty-${name}`);
    expect(other.error).toMatchObject({ code: 'idempotency_mismatch', kind: 'conflict' });
  });

  test('with other arguments is refused at every door', async () => {
    const codes = [];
    for (const door of doorsOf('agent')) codes.push((await create(door, 'Another', 'at-once')).error?.code);
    expect(codes).toEqual(['idempotency_mismatch', 'idempotency_mismatch', 'idempotency_mismatch']);
  });
});
