import {
  createTestInstallation,
  createTestQueue,
  startApp,
  type TestApp,
  type TestInstallation,
} from '@perdure/testkit';
import { Pool } from 'pg';
import { OFFICIAL_CLIENTS, type McpClient } from './official-clients.js';

type AppName = 'mcp-gateway' | 'api' | 'audit-writer' | 'usage-ingest';

interface Options {
  /** Default: a database and a queue of its own on the shared servers. */
  readonly installation?: TestInstallation;
  readonly queueUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Applications as processes of their own over one database and one queue; what the test leaves is ended by `close`. */
export interface WholeStack {
  readonly installation: TestInstallation;
  /** As superuser: to look at what is stored, and to store in bulk. */
  readonly admin: Pool;
  readonly queueUrl: string;
  /** `more`: variables of this process alone. */
  readonly start: (name: AppName, more?: Readonly<Record<string, string>>) => Promise<TestApp>;
  /** The newest official client on the newest protocol. */
  readonly connect: (gateway: TestApp, token: string) => Promise<McpClient>;
  readonly close: () => Promise<void>;
}

export async function wholeStack(options: Options = {}): Promise<WholeStack> {
  const installation = options.installation ?? (await createTestInstallation());
  const queue = options.queueUrl === undefined ? await createTestQueue() : null;
  const { appUrl, writerUrl, ingestUrl, superuserUrl } = installation.database;
  const admin = new Pool({ connectionString: superuserUrl, max: 4 });
  // Ended connections are of interest only to whoever uses one.
  admin.on('error', () => undefined);
  const queueUrl = queue?.url ?? options.queueUrl ?? '';
  const env = {
    PERDURE_DATABASE_URL: appUrl,
    PERDURE_WRITER_DATABASE_URL: writerUrl,
    PERDURE_INGEST_DATABASE_URL: ingestUrl,
    PERDURE_QUEUE_URL: queueUrl,
    PERDURE_ENV: 'test',
    PERDURE_API_URL: 'http://127.0.0.1:7400',
    PERDURE_MCP_URL: 'http://127.0.0.1:7401/mcp',
    ...options.env,
  };
  const running: { close: () => Promise<void> }[] = [];
  const kept = <Thing>(thing: Thing, close: () => Promise<void>) => {
    running.push({ close });
    return thing;
  };
  return {
    installation,
    admin,
    queueUrl,
    start: async (name, more = {}) => {
      const app = await startApp(name, { ...env, ...more });
      return kept(app, () => app.stop());
    },
    connect: async (gateway, token) => {
      const client = await newestClient(`${gateway.url}/mcp`, token);
      return kept(client, () => client.close());
    },
    close: async () => {
      await Promise.all(running.map((thing) => thing.close()));
      await admin.end();
      if (options.installation === undefined) await installation.close();
      await queue?.drop();
    },
  };
}

const newestClient = (url: string, token: string): Promise<McpClient> => {
  const [newest] = OFFICIAL_CLIENTS;
  if (newest === undefined) throw new Error('there is no official client');
  return newest[1](url, token);
};
