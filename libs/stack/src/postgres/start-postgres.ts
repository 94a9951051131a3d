import { spawn } from 'node:child_process';
import { closeSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { freePort, isPortFree, PortInUseError } from '../network/ports.js';
import { endProcess, type EndStep } from '../process/end-process.js';
import { openLog } from '../process/log-file.js';
import { exitOf, type RunningProcess } from '../process/running.js';
import { waitUntil } from '../process/wait-until.js';
import { serverAccount, serverEnvironment, type Account } from './account.js';
import { findBinaries, type PostgresBinaries } from './binaries.js';
import { initialiseData, locationFile, placeData, SUPERUSER, superuserPassword } from './data-folder.js';
import { liveServer, readPostmaster, type Postmaster } from './postmaster-pid.js';

export interface PostgresOptions {
  /** Holds the data; made when missing. As root it may move elsewhere, see `RunningPostgres.dataDir`. */
  dataDir: string;
  /** Default: any free one. */
  port?: number;
  /** For tests: no fsync, and stopping deletes the data. */
  ephemeral?: boolean;
  maxConnections?: number;
  /** Default: `<dataDir>.log`. */
  logFile?: string;
  /** Where binaries and data go that the server's account cannot reach. Default: see reachableFolder. */
  reachableFolders?: readonly string[];
}

export interface RunningPostgres extends RunningProcess {
  port: number;
  /** Superuser, database `postgres`. Carries the password. */
  url: string;
  /** Where the data really lies. */
  dataDir: string;
  /** It was running before: left behind by a process that was killed. */
  adopted: boolean;
}

/** Fast shutdown (open transactions roll back), then immediate (recovery at the next start), then none at all. */
const STOP: readonly EndStep[] = [
  ['SIGINT', 5000],
  ['SIGQUIT', 3000],
  ['SIGKILL', 2000],
];
/** Recovery after a kill -9 replays up to 1 GB of log. */
const READY_MS = 60_000;
/** Backends of a killed server hold its shared memory until they notice, at most about a second on an idle machine. */
const PREDECESSOR_MS = 15_000;
const PREDECESSOR_STILL_THERE = /pre-existing shared memory block|lock file .* already exists/;

interface Setting {
  binaries: PostgresBinaries;
  account: Account;
  dataDir: string;
  options: PostgresOptions;
}

/**
 * Starts the embedded Postgres on 127.0.0.1, or adopts the one that an earlier process left running on this data.
 * Passwords for every connection, no unix socket. Throws PortInUseError, or an Error with the end of the server's log.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const account = serverAccount(options.dataDir);
  const binaries = findBinaries(account, options.reachableFolders);
  const dataDir = placeData(options.dataDir, account, options.reachableFolders);
  await initialiseData(binaries, dataDir, account, { sync: !options.ephemeral });
  const setting = { binaries, account, dataDir, options };
  const orphan = await adopt(setting);
  if (orphan) return orphan;
  const port = options.port ?? (await freePort());
  if (!(await isPortFree(port))) throw new PortInUseError(port, 'postgres');
  return startPatiently(setting, port);
}

/** Takes over a server that listens where it should and knows our password; any other on this data is stopped. */
async function adopt(setting: Setting): Promise<RunningPostgres | null> {
  const server = liveServer(setting.dataDir);
  if (!server) return null;
  const fits = setting.options.port === undefined || setting.options.port === server.port;
  if (fits && (await waitUntil(() => canLogIn(setting.dataDir, server), { deadlineMs: 5000, intervalMs: 200 }))) {
    return describe(setting, server, exitOf(server.pid), true);
  }
  if (await endProcess(server.pid, STOP)) return null;
  throw new Error(`An earlier Postgres (pid ${server.pid}) still works on ${setting.dataDir} and does not stop.`);
}

async function canLogIn(dataDir: string, { port }: Postmaster): Promise<boolean> {
  const client = new Client({ connectionString: urlOf(dataDir, port), connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function startPatiently(setting: Setting, port: number): Promise<RunningPostgres> {
  const deadline = Date.now() + PREDECESSOR_MS;
  for (;;) {
    const attempt = await startOnce(setting, port);
    if (typeof attempt !== 'string') return attempt;
    const worthWaiting = PREDECESSOR_STILL_THERE.test(attempt) && Date.now() < deadline;
    if (!worthWaiting) throw new Error(`Postgres did not start. Its log ends with:\n${attempt}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** One attempt: the running server, or what it logged before it gave up. */
async function startOnce(setting: Setting, port: number): Promise<RunningPostgres | string> {
  const { binaries, account, dataDir, options } = setting;
  const logFile = options.logFile ?? `${options.dataDir}.log`;
  const log = openLog(logFile);
  const logged = statSync(logFile).size;
  const child = spawn(binaries.postgres, ['-D', dataDir, ...serverSettings(options, port)], {
    ...account,
    cwd: path.parse(dataDir).root,
    env: serverEnvironment(),
    stdio: ['ignore', log, log],
    // A session of its own: Ctrl-C in the terminal must not reach it before those who use it.
    detached: true,
    windowsHide: true,
  });
  closeSync(log);
  let failure: string | null = null;
  child.once('error', (error) => (failure = error.message));
  const exited = exitOf(child.pid ?? 0, child);
  void exited.then(() => (failure ??= logSince(logFile, logged)));
  const isReady = () => {
    const server = readPostmaster(dataDir);
    return server?.pid === child.pid && server?.ready === true;
  };
  const settled = await waitUntil(() => failure !== null || isReady(), { deadlineMs: READY_MS });
  if (failure !== null || child.pid === undefined) return failure ?? 'no process';
  if (!settled) {
    await endProcess(child.pid, STOP);
    return `not ready after ${READY_MS / 1000} s`;
  }
  child.unref();
  return describe(setting, { pid: child.pid, port, ready: true }, exited, false);
}

/** Also called when the server ends much later, perhaps after its log was deleted. */
function logSince(logFile: string, offset: number): string {
  return existsSync(logFile) ? readFileSync(logFile).subarray(offset).toString().trimEnd() : '';
}

function serverSettings(options: PostgresOptions, port: number): string[] {
  const settings: Record<string, string | number> = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '64MB',
    max_connections: options.maxConnections ?? 100,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(options.ephemeral ? { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function describe(setting: Setting, server: Postmaster, exited: Promise<void>, adopted: boolean): RunningPostgres {
  const { dataDir, options, binaries } = setting;
  const stop = async () => {
    await stopServer(server.pid, dataDir, binaries);
    if (!options.ephemeral) return;
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(locationFile(options.dataDir), { force: true });
  };
  return { pid: server.pid, port: server.port, url: urlOf(dataDir, server.port), dataDir, adopted, exited, stop };
}

async function stopServer(pid: number, dataDir: string, { pgCtl }: PostgresBinaries): Promise<void> {
  if (process.platform === 'win32') {
    // There Node's kill ends a process without a word; pg_ctl has its own way to ask.
    const asked = spawn(pgCtl, ['stop', '-D', dataDir, '-m', 'fast'], { stdio: 'ignore', windowsHide: true });
    await exitOf(asked.pid ?? 0, asked);
  }
  if (!(await endProcess(pid, STOP))) throw new Error(`Postgres (pid ${pid}) does not stop.`);
}

function urlOf(dataDir: string, port: number): string {
  return `postgres://${SUPERUSER}:${superuserPassword(dataDir)}@127.0.0.1:${port}/postgres`;
}
