import { gatewayStack, roundRobin, type GatewayStack } from './testing/gateway-stack.js';
import { OFFICIAL_CLIENTS } from './testing/official-clients.js';

let stack: GatewayStack;

beforeAll(async () => {
  stack = await gatewayStack();
});

afterAll(() => stack.close());

test.each(OFFICIAL_CLIENTS)(
  'session-gateway-killed: %s goes on after kill -9 without a new handshake',
  async (_label, connect) => {
    let gateway = await stack.start();
    const balancer = await roundRobin(() => [gateway.url]);
    const client = await connect(`${balancer.url}/mcp`, stack.agent.token);
    const first = await client.call('who_am_i');
    await gateway.kill();
    gateway = await stack.start();
    const second = await client.call('who_am_i');
    expect(second.structuredContent).toEqual(first.structuredContent);
    await client.close();
    await balancer.close();
    await gateway.stop();
  },
);

test.each(OFFICIAL_CLIENTS)(
  'G1: %s over two gateways without affinity: 200 calls, none fails',
  async (_label, connect) => {
    const gateways = [await stack.start(), await stack.start()];
    const balancer = await roundRobin(() => gateways.map(({ url }) => url));
    const client = await connect(`${balancer.url}/mcp`, stack.agent.token);
    for (let batch = 0; batch < 20; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => client.call('who_am_i')));
      expect(answers.filter(({ isError }) => isError)).toEqual([]);
    }
    await client.close();
    await balancer.close();
    for (const gateway of gateways) {
      expect(gateway.log()).toContain('"op":"who_am_i"');
      await gateway.stop();
    }
  },
);
