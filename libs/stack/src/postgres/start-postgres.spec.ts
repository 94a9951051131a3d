import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { freePort, PortInUseError } from '../network/ports.js';
import { isRunning } from '../process/identity.js';
import { startPostgres, type RunningPostgres } from './start-postgres.js';

let folder: string;
let dataDir: string;
const running: RunningPostgres[] = [];

/** Started servers are stopped after the test, whatever becomes of it. */
async function start(options: Partial<Parameters<typeof startPostgres>[0]> = {}): Promise<RunningPostgres> {
  const postgres = await startPostgres({ dataDir, ...options });
  running.push(postgres);
  return postgres;
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

// One folder for the whole file: initdb takes 2 to 6 s on two busy cores, and every test leaves usable data behind.
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-postgres-'));
  // As root the server runs under another uid and must pass through.
  chmodSync(folder, 0o711);
  dataDir = path.join(folder, 'data');
});

afterEach(async () => {
  for (const postgres of running.splice(0)) if (isRunning(postgres.pid)) await postgres.stop();
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('O5: data committed before a kill -9 of Postgres is there after the next start, at once', async () => {
  const first = await start();
  await ask(first.url, 'CREATE TABLE kept AS SELECT generate_series(1, 1000) AS id');
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  const second = await start();
  expect(second.adopted).toBe(false);
  expect(await ask(second.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 1000 }]);
});

it('O1: a server left running by a killed process is adopted: same pid, same data', async () => {
  const first = await start({ port: await freePort() });
  const second = await start({ port: first.port });
  expect(second).toMatchObject({ adopted: true, pid: first.pid, port: first.port });
  expect(await ask(second.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  await second.stop();
  await second.exited;
  expect(isRunning(first.pid)).toBe(false);
});

it('O1: a server left on another port than asked is stopped, and one started where asked', async () => {
  const first = await start();
  const port = await freePort();
  const second = await start({ port });
  expect(second).toMatchObject({ adopted: false, port });
  expect(isRunning(first.pid)).toBe(false);
});

it('O1: a pid file whose number now belongs to another program does not keep Postgres from starting', async () => {
  const first = await start();
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  // Of the same user: Postgres itself would take any other for gone.
  const { uid, gid } = statSync(dataDir);
  const stranger = spawn('sleep', ['300'], { stdio: 'ignore', uid, gid, cwd: '/' });
  const pidFile = path.join(dataDir, 'postmaster.pid');
  writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(stranger.pid)));
  const second = await start();
  expect(await ask(second.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  expect(stranger.exitCode).toBeNull();
  stranger.kill();
});

it('O1: a taken port is named', async () => {
  const taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const refusal = await startPostgres({ dataDir, port }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PortInUseError);
  expect(String(refusal)).toContain(`Port ${port} (postgres) is in use`);
  taken.close();
});

it('wants a password from everybody, keeps it in a file for the owner alone, and has no unix socket', async () => {
  const postgres = await start();
  const anonymous = new URL(postgres.url);
  anonymous.password = '';
  await expect(ask(anonymous.toString(), 'SELECT 1')).rejects.toThrow();
  anonymous.password = 'wrong';
  await expect(ask(anonymous.toString(), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  expect(statSync(path.join(dataDir, 'perdure-password')).mode & 0o777).toBe(0o600);
  expect(await ask(postgres.url, 'SHOW unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
  expect(await ask(postgres.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
});

it('stores UTF-8, sorts by code point and knows upper and lower case beyond ASCII', async () => {
  const { url } = await start();
  expect(await ask(url, `SELECT lower('ÄÖ') AS lower, ('Z' < 'a') AS ordered, '😀' AS face`)).toEqual([
    { lower: 'äö', ordered: true, face: '😀' },
  ]);
  expect(await ask(url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
});

it('an initdb cut short by a kill is started over; stopping an ephemeral server removes its data', async () => {
  const fresh = path.join(folder, 'fresh');
  writeFileSync(`${fresh}.initialising`, 'half');
  const postgres = await start({ dataDir: fresh, ephemeral: true });
  expect(existsSync(`${fresh}.initialising`)).toBe(false);
  expect(await ask(postgres.url, 'SHOW fsync')).toEqual([{ fsync: 'off' }]);
  await postgres.stop();
  expect(existsSync(fresh)).toBe(false);
});

it('refuses a folder that holds something else, and data of another major version', async () => {
  const notes = path.join(folder, 'notes');
  mkdirSync(notes);
  writeFileSync(path.join(notes, 'notes.txt'), 'mine');
  await expect(startPostgres({ dataDir: notes })).rejects.toThrow('holds files, but no Postgres data');
  const old = path.join(folder, 'old');
  mkdirSync(old);
  writeFileSync(path.join(old, 'PG_VERSION'), '9\n');
  await expect(startPostgres({ dataDir: old })).rejects.toThrow('holds data of Postgres 9');
});

// Only root starts Postgres under another uid, and so can have a folder that uid cannot reach.
if (process.getuid?.() === 0) {
  it('O1: as root below a 0700 folder, binaries and data go to a reachable place, and stay found', async () => {
    const places = path.join(folder, 'places');
    const closed = path.join(folder, 'closed');
    const options = { dataDir: path.join(closed, 'data'), reachableFolders: [places] };
    mkdirSync(closed, { mode: 0o700 });
    const first = await start(options);
    expect(path.dirname(first.dataDir)).toBe(places);
    expect(statSync(first.dataDir).uid).toBe(65534);
    await ask(first.url, 'CREATE TABLE kept AS SELECT 7 AS id');
    await first.stop();
    const second = await start(options);
    expect(await ask(second.url, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
  });
}
