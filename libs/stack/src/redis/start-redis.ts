import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePort, isPortFree, PortInUseError } from '../network/ports.js';
import { endProcess, type EndStep } from '../process/end-process.js';
import { isRunning } from '../process/identity.js';
import { lastLines, openLog } from '../process/log-file.js';
import { exitOf, type RunningProcess } from '../process/running.js';
import { waitUntil } from '../process/wait-until.js';
import { findRedisServer } from './find-redis-server.js';

export interface RedisOptions {
  /** Holds data, password and configuration (all 0600 or in a 0700 folder); made when missing. */
  dataDir: string;
  /** Default: any free one. */
  port?: number;
  /** Append-only file, fsync every second; else nothing is stored and stopping deletes the folder. */
  persistent: boolean;
  /** Default: the one on PATH. */
  program?: string;
  /** Default: `<dataDir>.log`. */
  logFile?: string;
}

export interface RunningRedis extends RunningProcess {
  port: number;
  /** Carries the password. */
  url: string;
  /** It was running before: left behind by a process that was killed. */
  adopted: boolean;
}

/** SIGTERM writes what is outstanding, then ends. */
const STOP: readonly EndStep[] = [
  ['SIGTERM', 3000],
  ['SIGKILL', 2000],
];
/** Loading the append-only file takes about 1 s per million small keys. */
const READY_MS = 30_000;

/**
 * Starts Redis on 127.0.0.1 with a random password and `noeviction` (BullMQ loses jobs under any other policy), or adopts
 * the one that an earlier process left running on this folder. Throws PortInUseError, or an Error with the end of its log.
 */
export async function startRedis(options: RedisOptions): Promise<RunningRedis> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const password = keptPassword(options.dataDir);
  const orphan = await adopt(options, password);
  if (orphan) return orphan;
  const port = options.port ?? (await freePort());
  if (!(await isPortFree(port))) throw new PortInUseError(port, 'redis');
  return startServer(options, password, port);
}

async function startServer(options: RedisOptions, password: string, port: number): Promise<RunningRedis> {
  const program = options.program ?? findRedisServer();
  if (program === null) throw new Error('There is no redis-server on PATH.');
  const configuration = writeConfiguration(options, password, port);
  const logFile = options.logFile ?? `${options.dataDir}.log`;
  const log = openLog(logFile);
  const child = spawn(program, [configuration], { stdio: ['ignore', log, log], detached: true, windowsHide: true });
  closeSync(log);
  let failure: string | null = null;
  child.once('error', (error) => (failure = error.message));
  const exited = exitOf(child.pid ?? 0, child);
  void exited.then(() => (failure ??= lastLines(logFile)));
  const url = urlOf(password, port);
  const settled = await waitUntil(async () => failure !== null || (await processBehind(url)) === child.pid, {
    deadlineMs: READY_MS,
  });
  if (failure !== null || child.pid === undefined)
    throw new Error(`Redis did not start. Its log ends with:\n${failure}`);
  if (!settled) {
    await endProcess(child.pid, STOP);
    throw new Error(`Redis was not ready after ${READY_MS / 1000} s.`);
  }
  child.unref();
  return describe(options, child.pid, port, url, exited, false);
}

/** A process that knows our password and calls itself by the number in the pid file is ours, whatever its command line says. */
async function adopt(options: RedisOptions, password: string): Promise<RunningRedis | null> {
  const left = leftover(options.dataDir);
  if (!left) return null;
  const url = urlOf(password, left.port);
  if ((await processBehind(url)) !== left.pid) return null;
  if (options.port === undefined || options.port === left.port) {
    return describe(options, left.pid, left.port, url, exitOf(left.pid), true);
  }
  if (await endProcess(left.pid, STOP)) return null;
  throw new Error(`An earlier Redis (pid ${left.pid}) still works on ${options.dataDir} and does not stop.`);
}

function leftover(dataDir: string): { pid: number; port: number } | null {
  const pidFile = path.join(dataDir, 'redis.pid');
  const configuration = path.join(dataDir, 'redis.conf');
  if (!existsSync(pidFile) || !existsSync(configuration)) return null;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const port = Number(/^port (\d+)$/m.exec(readFileSync(configuration, 'utf8'))?.[1]);
  return pid > 0 && port > 0 && isRunning(pid) ? { pid, port } : null;
}

/** The pid of the Redis that answers there and has loaded its data; null when none does or it refuses our password. */
async function processBehind(url: string): Promise<number | null> {
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return Number(/^process_id:(\d+)/m.exec(await client.info('server'))?.[1]);
  } catch {
    return null;
  } finally {
    client.disconnect();
  }
}

function describe(
  options: RedisOptions,
  pid: number,
  port: number,
  url: string,
  exited: Promise<void>,
  adopted: boolean,
): RunningRedis {
  const stop = async () => {
    if (!(await endProcess(pid, STOP))) throw new Error(`Redis (pid ${pid}) does not stop.`);
    if (!options.persistent) rmSync(options.dataDir, { recursive: true, force: true });
  };
  return { pid, port, url, adopted, exited, stop };
}

/** In a file, not in the arguments: those stand in everybody's process list. */
function writeConfiguration({ dataDir, persistent }: RedisOptions, password: string, port: number): string {
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(dataDir)}`,
    `pidfile ${JSON.stringify(path.join(dataDir, 'redis.pid'))}`,
    'daemonize no',
    'maxmemory-policy noeviction',
    'save ""',
    ...(persistent ? ['appendonly yes', 'appendfsync everysec'] : ['appendonly no']),
  ];
  const file = path.join(dataDir, 'redis.conf');
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}

function keptPassword(dataDir: string): string {
  const file = path.join(dataDir, 'password');
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

function urlOf(password: string, port: number): string {
  return `redis://:${password}@127.0.0.1:${port}`;
}
