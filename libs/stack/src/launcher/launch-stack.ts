import { isPortFree, PortInUseError } from '../network/ports.js';
import type { Supervised } from '../process/supervise.js';
import { APPLICATIONS, localUrl, PORT_OFFSETS, type Connections } from './applications.js';
import {
  embeddedConnections,
  externalConnections,
  rolePasswords,
  roleUrl,
  type DatabaseConnections,
} from './connections.js';
import { prepareDataFolder, type DataFolder } from './data-folder.js';
import { obtainCredentials, ownerSignInUrl, prepareDatabase, prepareQueueSchema } from './installation.js';
import { acquireLauncherLock, type LauncherLock } from './launcher-lock.js';
import { endLeftovers } from '../process/leftovers.js';
import { readyBlock } from './ready-block.js';
import {
  chooseQueue,
  mcpUrl,
  superviseApplication,
  superviseEmbeddedPostgres,
  superviseRedis,
  type ServiceContext,
} from './services.js';
import { markNotReady, writeStackFile, type StackFile } from './stack-file.js';

export interface LaunchOptions {
  dataDir: string;
  portBase: number;
  env: NodeJS.ProcessEnv;
  /** One line for the terminal. */
  print: (line: string) => void;
  /** Ends a launch under way; what it had started is stopped before the promise rejects. */
  signal?: AbortSignal;
}

export interface RunningStack {
  stack: StackFile;
  /** Applications, then Redis, then Postgres. Safe to call twice. */
  stop(): Promise<void>;
  /** Resolves when a service died too often to go on; the caller then stops the stack. */
  failed: Promise<Error>;
}

/**
 * Starts the whole of Perdure on this machine (DESIGN §9) and resolves when every application is ready and stack.json says
 * so. Rejects with a message for a terminal (port taken, database unreachable, application died); nothing is left running then.
 */
export async function launchStack(options: LaunchOptions): Promise<RunningStack> {
  const folder = prepareDataFolder(options.dataDir);
  const lock = await acquireLauncherLock(folder.lockFile, folder.root);
  const launch = new Launch(options, folder, lock);
  try {
    await launch.run();
    return launch.asRunning();
  } catch (error) {
    await launch.stop();
    throw error;
  }
}

class Launch {
  private readonly started: Supervised[] = [];
  private readonly pids = new Map<string, number>();
  private readonly context: ServiceContext;
  private readonly failure: Promise<Error>;
  private stack: StackFile | null = null;
  private stopping: Promise<void> | null = null;

  constructor(
    private readonly options: LaunchOptions,
    private readonly folder: DataFolder,
    private readonly lock: LauncherLock,
  ) {
    let fail: (reason: Error) => void = () => undefined;
    this.failure = new Promise((resolve) => (fail = resolve));
    this.context = {
      folder,
      portOf: (service) => portOf(options.portBase, service),
      processChanged: (name, pid) => this.processChanged(name, pid),
      onEvent: (line) => options.print(line),
      onGivenUp: (reason) => fail(reason),
      signal: options.signal,
    };
  }

  async run(): Promise<void> {
    const { print, env } = this.options;
    markNotReady(this.folder.stackFile);
    for (const name of await endLeftovers(this.folder.runFolder))
      print(`${name} of an earlier start was still running; ended`);
    await this.requirePorts(APPLICATIONS);
    const { connections: database, passwords } = await this.startDatabase();
    const queue = chooseQueue(env);
    const queueUrl = await this.startQueue(queue, database, passwords);
    this.goOn();
    print('preparing the installation');
    const credentials = await obtainCredentials(database, this.folder.stackFile);
    const connections: Connections = { ...database, queueUrl };
    await this.startApplications(connections);
    this.goOn();
    this.stack = this.describe(connections, credentials);
    writeStackFile(this.folder.stackFile, this.stack);
    const signInUrl = await ownerSignInUrl(database, credentials, this.stack.api_url);
    print(readyBlock({ stack: this.stack, queue, dataDir: this.folder.root, signInUrl }));
  }

  asRunning(): RunningStack {
    if (!this.stack) throw new Error('The stack is not ready.');
    return { stack: this.stack, stop: () => this.stop(), failed: this.failure };
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    this.announceStop();
    const isServer = ({ name }: Supervised) => name === 'postgres' || name === 'redis';
    await Promise.allSettled(this.started.filter((service) => !isServer(service)).map((service) => service.stop()));
    // Newest first: Redis was started after Postgres.
    for (const server of this.started.filter(isServer).reverse()) {
      await server.stop().catch((error: unknown) => this.options.print(String(error)));
    }
    this.lock.release();
  }

  private announceStop(): void {
    try {
      this.lock.markStopping();
      markNotReady(this.folder.stackFile);
    } catch (error) {
      // Without its data folder the stack must still come down.
      this.options.print(`the data folder could not be written: ${String(error)}`);
    }
  }

  private async startDatabase() {
    const external = externalConnections(this.options.env);
    if (external) {
      await this.migrate(external, null, null);
      return { connections: external, passwords: null };
    }
    this.options.print('starting Postgres');
    const { service, url } = await superviseEmbeddedPostgres(this.context);
    this.started.push(service);
    const passwords = rolePasswords(this.folder.secretsFile);
    const connections = embeddedConnections(url, passwords);
    await this.migrate(connections, passwords, url);
    return { connections, passwords };
  }

  private async migrate(...args: Parameters<typeof prepareDatabase>): Promise<void> {
    this.goOn();
    const applied = await prepareDatabase(...args);
    if (applied.length > 0) this.options.print(`migrated the database (${applied.length} steps)`);
  }

  private async startQueue(
    queue: ReturnType<typeof chooseQueue>,
    database: DatabaseConnections,
    passwords: Parameters<typeof prepareDatabase>[1],
  ): Promise<string> {
    if (queue.kind === 'given') return this.options.env.PERDURE_QUEUE_URL ?? '';
    if (queue.kind === 'redis') {
      const { service, url } = await superviseRedis(this.context, queue.program);
      this.started.push(service);
      return url;
    }
    if (!database.superuserUrl || !passwords) {
      throw new Error(
        'With PERDURE_DATABASE_URL and no redis-server on PATH, PERDURE_QUEUE_URL must be set (redis:// or postgres://).',
      );
    }
    const url = roleUrl(database.superuserUrl, 'perdure_queue', passwords);
    await prepareQueueSchema(database.superuserUrl, url);
    return url;
  }

  private async startApplications(connections: Connections): Promise<void> {
    this.options.print(`starting ${APPLICATIONS.join(', ')}`);
    const starts = APPLICATIONS.map(async (name) => {
      this.started.push(await superviseApplication(this.context, name, connections, this.options.env));
    });
    // All of them settle first: a stop must know every process that came up.
    const failed = (await Promise.allSettled(starts)).find((start) => start.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private describe(connections: Connections, credentials: Awaited<ReturnType<typeof obtainCredentials>>): StackFile {
    const apiUrl = localUrl(this.context.portOf('api'));
    return {
      ready: true,
      mcp_url: mcpUrl(this.context),
      api_url: apiUrl,
      // Served by the api.
      dashboard_url: apiUrl,
      database_url: connections.databaseUrl,
      database_owner_url: connections.ownerUrl,
      ...(connections.superuserUrl ? { database_superuser_url: connections.superuserUrl } : {}),
      queue_url: connections.queueUrl,
      ...credentials,
      processes: this.processes(),
    };
  }

  private processChanged(name: string, pid: number | null): void {
    if (pid === null) this.pids.delete(name);
    else this.pids.set(name, pid);
    if (!this.stack || this.stopping) return;
    this.stack.processes = this.processes();
    try {
      writeStackFile(this.folder.stackFile, this.stack);
    } catch (error) {
      // The data folder is gone or the disk is full: no reason to take down what serves.
      this.options.print(`stack.json could not be written: ${String(error)}`);
    }
  }

  private processes(): { name: string; pid: number }[] {
    return [...this.pids].map(([name, pid]) => ({ name, pid }));
  }

  private async requirePorts(services: readonly string[]): Promise<void> {
    for (const service of services) {
      const port = this.context.portOf(service);
      if (!(await isPortFree(port))) throw new PortInUseError(port, service);
    }
  }

  private goOn(): void {
    this.options.signal?.throwIfAborted();
  }
}

function portOf(base: number, service: string): number {
  const offset = Object.entries(PORT_OFFSETS).find(([name]) => name === service)?.[1];
  if (offset === undefined) throw new Error(`No port is planned for ${service}.`);
  return base + offset;
}
