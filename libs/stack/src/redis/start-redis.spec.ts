import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../network/ports.js';
import { isRunning } from '../process/identity.js';
import { findRedisServer } from './find-redis-server.js';
import { startRedis, type RedisOptions, type RunningRedis } from './start-redis.js';

let folder: string;
let dataDir: string;
const running: RunningRedis[] = [];

async function start(options: Partial<RedisOptions> = {}): Promise<RunningRedis> {
  const redis = await startRedis({ dataDir, persistent: true, ...options });
  running.push(redis);
  return redis;
}

async function ask<T>(url: string, question: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  try {
    return await question(client);
  } finally {
    client.disconnect();
  }
}

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-redis-'));
  dataDir = path.join(folder, 'redis');
});

afterEach(async () => {
  for (const redis of running.splice(0)) if (isRunning(redis.pid)) await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('Q15: never evicts, listens on the loopback address alone, wants a password', async () => {
  const redis = await start();
  const settings = await ask(redis.url, (client) => client.config('GET', 'maxmemory-policy', 'bind', 'appendfsync'));
  expect(settings).toEqual(expect.arrayContaining(['maxmemory-policy', 'noeviction', 'bind', '127.0.0.1', 'everysec']));
  const anonymous = new URL(redis.url);
  anonymous.password = '';
  await expect(ask(anonymous.toString(), (client) => client.get('x'))).rejects.toThrow(/NOAUTH/);
  expect(statSync(path.join(dataDir, 'redis.conf')).mode & 0o777).toBe(0o600);
});

it('O1: keeps what was written over a stop and over a kill -9', async () => {
  const first = await start();
  await ask(first.url, (client) => client.set('kept', 'yes'));
  await first.stop();
  const second = await start();
  expect(await ask(second.url, (client) => client.get('kept'))).toBe('yes');
  process.kill(second.pid, 'SIGKILL');
  await second.exited;
  const third = await start();
  expect(third.adopted).toBe(false);
  expect(await ask(third.url, (client) => client.get('kept'))).toBe('yes');
});

it('O1: a server left running is adopted on its port, and replaced when another port is asked for', async () => {
  const first = await start();
  const second = await start({ port: first.port });
  expect(second).toMatchObject({ adopted: true, pid: first.pid, url: first.url });
  const port = await freePort();
  const third = await start({ port });
  expect(third).toMatchObject({ adopted: false, port });
  expect(isRunning(first.pid)).toBe(false);
});

it('O1: a pid file that names another living process ends nothing and keeps nothing from starting', async () => {
  await (await start()).stop();
  writeFileSync(path.join(dataDir, 'redis.pid'), String(process.pid));
  const redis = await start();
  expect(redis.adopted).toBe(false);
  expect(redis.pid).not.toBe(process.pid);
});

it('O1: a taken port is named', async () => {
  const taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(start({ port })).rejects.toThrow(`Port ${port} (redis) is in use`);
  taken.close();
});

it('an ephemeral one leaves nothing behind', async () => {
  const redis = await start({ persistent: false });
  await redis.stop();
  expect(existsSync(dataDir)).toBe(false);
});

it('finds the server on a search path, and only one that can be run', () => {
  const program = path.join(folder, 'redis-server');
  writeFileSync(program, '#!/bin/sh\n');
  expect(findRedisServer(folder)).toBeNull();
  chmodSync(program, 0o755);
  expect(findRedisServer(`/nowhere${path.delimiter}${folder}`)).toBe(program);
  expect(findRedisServer('')).toBeNull();
});
