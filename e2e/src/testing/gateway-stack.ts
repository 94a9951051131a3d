import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import {
  createTestInstallation,
  createTestQueue,
  startApp,
  type TestActor,
  type TestApp,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';

export interface GatewayStack {
  readonly installation: TestInstallation;
  readonly workspace: TestWorkspace;
  readonly agent: TestActor;
  /** One more gateway process over the same database. */
  readonly start: () => Promise<TestApp>;
  readonly close: () => Promise<void>;
}

/** A database, a queue and a workspace with an agent; gateways are started by the test. */
export async function gatewayStack(env: Readonly<Record<string, string>> = {}): Promise<GatewayStack> {
  const installation = await createTestInstallation();
  const queue = await createTestQueue();
  const workspace = await installation.workspace();
  const gateways: TestApp[] = [];
  return {
    installation,
    workspace,
    agent: await workspace.actor('agent-1'),
    start: async () => {
      const gateway = await startApp('mcp-gateway', {
        PERDURE_DATABASE_URL: installation.database.appUrl,
        PERDURE_QUEUE_URL: queue.url,
        PERDURE_ENV: 'test',
        ...env,
      });
      gateways.push(gateway);
      return gateway;
    },
    close: async () => {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await installation.close();
      await queue.drop();
    },
  };
}

/** A balancer without affinity: each connection goes to the next of the urls that `targets` names at that moment. */
export async function roundRobin(
  targets: () => readonly string[],
): Promise<{ url: string; close: () => Promise<void> }> {
  let turn = 0;
  const sockets = new Set<{ destroy: () => void }>();
  const server = createServer((client) => {
    const urls = targets();
    const target = new URL(urls[(turn += 1) % urls.length] ?? '');
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(from);
      from.pipe(to);
      from.once('error', () => to.destroy());
      from.once('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
