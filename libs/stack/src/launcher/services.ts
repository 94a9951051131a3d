import { startPostgres, type RunningPostgres } from '../postgres/start-postgres.js';
import type { RunningProcess } from '../process/running.js';
import { startApplication } from '../process/start-application.js';
import { supervise, type Supervised } from '../process/supervise.js';
import { findRedisServer } from '../redis/find-redis-server.js';
import { startRedis } from '../redis/start-redis.js';
import {
  applicationEnvironment,
  applicationScript,
  localUrl,
  type ApplicationName,
  type Connections,
} from './applications.js';
import type { DataFolder } from './data-folder.js';
import { forgetProcess, noteProcess } from '../process/leftovers.js';
import type { QueueChoice } from './ready-block.js';

/** Four applications with their pools, and up to ten connections per process when the queue is Postgres too. */
const MAX_CONNECTIONS = 200;

/** What the services of one stack share. */
export interface ServiceContext {
  folder: DataFolder;
  portOf(service: string): number;
  /** A process has a (new) pid, or none any more. */
  processChanged(name: string, pid: number | null): void;
  onEvent(line: string): void;
  onGivenUp(reason: Error): void;
  /** Ends the start of an application early. */
  signal?: AbortSignal | undefined;
}

/** Postgres with a watch on it; the superuser's url stays the same over restarts. */
export async function superviseEmbeddedPostgres(
  context: ServiceContext,
): Promise<{ service: Supervised; url: string }> {
  const port = context.portOf('postgres');
  const logFile = context.folder.logOf('postgres');
  let url = '';
  const service = await superviseIn(context, 'postgres', async () => {
    const postgres: RunningPostgres = await startPostgres({
      dataDir: context.folder.postgres,
      port,
      maxConnections: MAX_CONNECTIONS,
      logFile,
    });
    if (postgres.adopted) context.onEvent(`postgres was still running (pid ${postgres.pid}) and goes on`);
    url = postgres.url;
    return postgres;
  });
  return { service, url };
}

/** A given url wins, then a redis-server on PATH, then BullMQ on Postgres. */
export function chooseQueue(env: NodeJS.ProcessEnv): QueueChoice & { program?: string } {
  if (env.PERDURE_QUEUE_URL) {
    const scheme = env.PERDURE_QUEUE_URL.split(':')[0];
    return { kind: 'given', description: `${scheme}, at the url given by PERDURE_QUEUE_URL` };
  }
  const program = findRedisServer(env.PATH);
  if (program) return { kind: 'redis', description: `Redis (${program})`, program };
  return {
    kind: 'postgres',
    description: 'PostgreSQL (BullMQ backend, schema perdure_queue): no redis-server on PATH',
  };
}

export async function superviseRedis(
  context: ServiceContext,
  program: string | undefined,
): Promise<{ service: Supervised; url: string }> {
  const port = context.portOf('redis');
  const logFile = context.folder.logOf('redis');
  let url = '';
  const service = await superviseIn(context, 'redis', async () => {
    const redis = await startRedis({
      dataDir: context.folder.redis,
      port,
      persistent: true,
      logFile,
      ...(program ? { program } : {}),
    });
    url = redis.url;
    return redis;
  });
  return { service, url };
}

/** Where agents connect; every application may have to tell them. */
export function mcpUrl({ portOf }: Pick<ServiceContext, 'portOf'>): string {
  return `${localUrl(portOf('mcp-gateway'))}/mcp`;
}

/** Where people sign in; every application may have to tell them. */
function apiUrl({ portOf }: Pick<ServiceContext, 'portOf'>): string {
  return localUrl(portOf('api'));
}

export function superviseApplication(
  context: ServiceContext,
  name: ApplicationName,
  connections: Connections,
  env: NodeJS.ProcessEnv,
): Promise<Supervised> {
  const port = context.portOf(name);
  const { runFolder } = context.folder;
  return superviseIn(context, name, async (stopping) => {
    const signal = context.signal ? AbortSignal.any([stopping, context.signal]) : stopping;
    const running = await startApplication({
      name,
      script: applicationScript(name),
      env: {
        PERDURE_MCP_URL: mcpUrl(context),
        PERDURE_API_URL: apiUrl(context),
        ...applicationEnvironment(name, connections, port, env),
      },
      logFile: context.folder.logOf(name),
      readyUrl: `${localUrl(port)}/readyz`,
      signal,
      onSpawned: (pid) => noteProcess(runFolder, name, pid),
    });
    void running.exited.then(() => forgetProcess(runFolder, name));
    return running;
  });
}

function superviseIn(
  context: ServiceContext,
  name: string,
  start: (signal: AbortSignal) => Promise<RunningProcess>,
): Promise<Supervised> {
  return supervise({
    name,
    start: async (signal) => {
      const running = await start(signal);
      void running.exited.then(() => context.processChanged(name, null));
      return running;
    },
    onStarted: (pid) => context.processChanged(name, pid),
    onEvent: (line) => context.onEvent(line),
    onGivenUp: (reason) => context.onGivenUp(reason),
  });
}
