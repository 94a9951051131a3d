import { allOperations, catalogue, type OperationContract } from '@perdure/contracts';
import { createTestQueue, startApp, type TestActor, type TestApp, type TestQueue } from '@perdure/testkit';
import { gatewayStack, type GatewayStack } from './testing/gateway-stack.js';
import { OFFICIAL_CLIENTS, type McpClient } from './testing/official-clients.js';

let stack: GatewayStack;
let queue: TestQueue;
let api: TestApp;
let gateway: TestApp;
const actors: Record<string, TestActor> = {};
const clients: Record<string, McpClient> = {};

const PRESETS = ['agent', 'auditor', 'reporter', 'admin'] as const;

beforeAll(async () => {
  stack = await gatewayStack();
  queue = await createTestQueue();
  gateway = await stack.start();
  api = await startApp('api', {
    PERDURE_DATABASE_URL: stack.installation.database.appUrl,
    PERDURE_QUEUE_URL: queue.url,
  });
  const [, connect] = OFFICIAL_CLIENTS[0] ?? [];
  for (const preset of PRESETS) {
    const actor = await stack.workspace.actor(`the-${preset}`, preset);
    actors[preset] = actor;
    if (connect) clients[preset] = await connect(`${gateway.url}/mcp`, actor.token);
  }
});

afterAll(async () => {
  for (const client of Object.values(clients)) await client.close();
  await api.stop();
  await stack.close();
  await queue.drop();
});

const pathOf = ({ name }: OperationContract) =>
  Object.entries(catalogue)
    .flatMap(([area, operations]) =>
      Object.entries(operations).map(([key, contract]) => [`${area}.${key}`, contract.name]),
    )
    .find(([, known]) => known === name)?.[0];

interface Outcome {
  readonly code: string;
  readonly message?: string;
}

async function overMcp(preset: string, { name }: OperationContract, input: Record<string, unknown>): Promise<Outcome> {
  const answer = await clients[preset]?.call(name, input);
  if (answer?.isError !== true) return { code: 'allowed' };
  const { code, message } = answer._meta?.['dev.perdure/error'] as Outcome; // DESIGN §4
  return { code, message };
}

async function overTrpc(preset: string, contract: OperationContract, input: Record<string, unknown>): Promise<Outcome> {
  const response = await fetch(`${api.url}/trpc/${pathOf(contract)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${actors[preset]?.token}` },
    body: JSON.stringify(input),
  });
  if (response.ok) return { code: 'allowed' };
  const body = (await response.json()) as { error: { data: { perdure: Outcome } } }; // as libs/trpc formats it
  const { code, message } = body.error.data.perdure;
  return { code, message };
}

const inputs = [{}, { surplus: 1 }, { build_session_id: '01K5ZQ8W3M9X7B2C4D6E8F0G1H' }];

describe.each(PRESETS)('same-answer-on-both-doors: %s', (preset) => {
  test.each(allOperations.map((contract) => [contract.name, contract] as const))('%s', async (_name, contract) => {
    for (const input of inputs) {
      const answers = [await overMcp(preset, contract, input), await overTrpc(preset, contract, input)];
      expect(answers[0]).toEqual(answers[1]);
    }
  });
});
