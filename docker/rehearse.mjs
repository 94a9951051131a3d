// `node docker/rehearse.mjs`: plays `docker compose up` without an engine. What compose.yaml and the Dockerfile say is run
// here as it stands: same files (assembled as in the image, read-only), same commands, same environment, in order, as uid
// 65534 when started by root. Other than there: embedded Postgres, the redis-server on PATH, and free ports on loopback.
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { assemble } from './assemble.mjs';
import { environmentOf, interpolate, lastOf, readCompose, readDockerfile, readEnvFile } from './compose-model.mjs';
import { runProgram, startProgram, unprivileged } from './rehearsal-process.mjs';

const { freePort, startPostgres, findRedisServer } = createRequire(import.meta.url)('@perdure/stack/services');
const { Client } = createRequire(import.meta.url)('pg');

const own = (file) => path.join(import.meta.dirname, file);
const IN_IMAGE = ['healthcheck.mjs', 'first-workspace.mjs'];
const READY_MS = 60_000;

const composeText = readFileSync(own('compose.yaml'), 'utf8');
const dockerfile = readDockerfile(readFileSync(own('Dockerfile'), 'utf8'));
const folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-rehearsal-'));
chmodSync(folder, 0o711);
const stops = [];
const said = (line) => console.log(`ok  ${line}`);

function expect(condition, what) {
  if (!condition) throw new Error(what);
}

/** Every entry loses its write bits, as seen by somebody who is not root. */
function makeReadOnly(entry) {
  const { mode } = statSync(entry);
  if (statSync(entry).isDirectory()) {
    for (const child of readdirSync(entry, { withFileTypes: true })) {
      if (!child.isSymbolicLink()) makeReadOnly(path.join(entry, child.name));
    }
  }
  chmodSync(entry, (mode | 0o444 | (mode & 0o100 ? 0o111 : 0)) & 0o555);
}

function prepareTree() {
  const tree = path.join(folder, 'perdure');
  assemble(tree);
  for (const file of IN_IMAGE) cpSync(own(file), path.join(tree, 'docker', file));
  makeReadOnly(tree);
  const write = runProgram(process.execPath, ['-e', `require('fs').writeFileSync('x', '')`], { cwd: tree, env: {} });
  return write.then(({ code, output }) => {
    expect(code !== 0 && /EACCES|EROFS/.test(output), 'the tree can be written to');
    said(`the tree of the image is read-only for uid ${unprivileged.uid}`);
    return tree;
  });
}

async function drawSecrets() {
  const required = () => interpolate(readCompose(composeText), {});
  try {
    required();
    throw new Error('compose.yaml is content without secrets');
  } catch (error) {
    expect(/run node docker\/init\.mjs/.test(error.message), error.message);
  }
  const file = path.join(folder, '.env');
  const made = await runProgram(process.execPath, [own('init.mjs'), file], { cwd: folder, env: {}, asRoot: true });
  expect(made.code === 0 && (statSync(file).mode & 0o777) === 0o600, `init.mjs: ${made.output}`);
  said('without secrets compose refuses; init.mjs writes them, readable by their owner alone');
  return readEnvFile(readFileSync(file, 'utf8'));
}

/** The embedded server in place of the service `postgres`, with the password that the service would have. */
async function startDatabase(password) {
  const postgres = await startPostgres({ dataDir: path.join(folder, 'postgres'), ephemeral: true });
  stops.push(() => postgres.stop());
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`ALTER ROLE postgres PASSWORD '${password}'`);
  await client.end();
  return postgres.port;
}

/** The redis-server on PATH with the configuration of compose.yaml, and the service's own health check. */
async function startQueue({ content }, { environment, healthcheck }) {
  const port = await freePort();
  const data = mkdtempSync(path.join(folder, 'redis-'));
  const file = path.join(folder, 'perdure-redis.conf');
  const local = { 'bind * -::*': 'bind 127.0.0.1', 'port 6379': `port ${port}`, 'dir /data': `dir ${data}` };
  writeFileSync(
    file,
    Object.entries(local).reduce((text, [from, to]) => text.replace(from, to), content),
    { mode: 0o644 },
  );
  chmodSync(data, 0o777);
  const redis = startProgram(findRedisServer(), [file], { cwd: data, env: {} });
  stops.push(() => redis.stop('SIGTERM'));
  const check = healthcheck.test.slice(1);
  const isHealthy = async () => {
    const [program, ...argv] = [check[0], '-p', String(port), ...check.slice(1)];
    return (await runProgram(program, argv, { cwd: data, env: { ...environment, PATH: process.env.PATH } })).code === 0;
  };
  await until(isHealthy, () => `redis: ${redis.output()}`);
  said('redis runs with the configuration of compose.yaml and passes its health check');
  return port;
}

async function until(condition, trouble) {
  const deadline = Date.now() + READY_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(trouble());
    await pause(100);
  }
}

/** What a container of that service would run and see, but for addresses. */
function containerOf(name, { services, tree, ports }) {
  const { build, command, environment = {} } = services[name];
  const stage = dockerfile.stages.find((candidate) => candidate.name === build.target);
  const moved = (text) =>
    String(text)
      .replace('@postgres:5432/', `@127.0.0.1:${ports.postgres}/`)
      .replace('@redis:6379/', `@127.0.0.1:${ports.redis}/`);
  const own = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, moved(value)]));
  return {
    argv: command ?? JSON.parse(lastOf(dockerfile, stage, 'CMD')),
    check: lastOf(dockerfile, stage, 'HEALTHCHECK'),
    options: { cwd: tree, env: { ...environmentOf(dockerfile, stage), ...own } },
  };
}

async function runStep(name, world, changes = {}) {
  const { argv, options } = containerOf(name, world);
  return runProgram(process.execPath, argv, { ...options, env: { ...options.env, ...changes } });
}

async function runSteps(world) {
  const placeholder = await runStep('roles', world, { PERDURE_APP_PASSWORD: 'changeme-changeme' });
  expect(
    placeholder.code === 78 && /PERDURE_APP_PASSWORD looks like a placeholder/.test(placeholder.output),
    placeholder.output,
  );
  const missing = await runStep('migrate', world, { PERDURE_DATABASE_OWNER_URL: '' });
  expect(missing.code === 78 && /PERDURE_DATABASE_OWNER_URL .*is not set/.test(missing.output), missing.output);
  said('roles refuses a placeholder and migrate a missing url, both with code 78 and by name');
  for (const [name, word] of [
    ['roles', 'as they should be'],
    ['migrate', 'ran'],
    ['roles', 'as they'],
    ['migrate', 'nothing to do'],
  ]) {
    const { code, output } = await runStep(name, world);
    expect(code === 0 && output.includes(word), `${name}: ${output}`);
  }
  said('roles and migrate do their work, and find nothing to do the second time');
}

async function startApplication(name, world) {
  const { argv, check, options } = containerOf(name, world);
  const port = await freePort();
  const env = { ...options.env, PERDURE_HTTP_PORT: String(port) };
  const running = startProgram(process.execPath, argv, { ...options, env });
  stops.push(() => running.stop('SIGKILL'));
  const [, ...healthArgv] = JSON.parse(check.slice(check.indexOf('[')));
  const isHealthy = async () => (await runProgram(process.execPath, healthArgv, { ...options, env })).code === 0;
  await until(
    async () => running.code() !== null || (await isHealthy()),
    () => `${name}: ${running.output()}`,
  );
  expect(running.code() === null, `${name} ended: ${running.output()}`);
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect(ready.ok, `${name} is not ready: ${await ready.text()}`);
  said(`${name} started, is healthy by the image's own check, and ready`);
  return { name, port, running };
}

async function callTool(world, port) {
  const { code, output } = await runStep('first-workspace', world);
  expect(code === 0, output);
  const { agent_token: token } = JSON.parse(output.slice(0, output.indexOf('\n}') + 2));
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who_am_i', arguments: {} } }),
  });
  const text = await response.text();
  expect(response.ok && text.includes('"name":"agent"'), `the gateway answered ${response.status}: ${text}`);
  said('first-workspace makes a workspace; its agent calls a tool through the gateway');
}

async function stopApplication({ name, running }) {
  const stage = dockerfile.stages.find((candidate) => candidate.name === name);
  const code = await running.stop(lastOf(dockerfile, stage, 'STOPSIGNAL'));
  expect(code === 0, `${name} ended with ${code} when it was told to stop: ${running.output()}`);
  const complaint = /"level":"(?:warn|error|fatal)".*|"level":(?:40|50|60).*/.exec(running.output());
  expect(complaint === null, `${name} complained: ${complaint?.[0]}`);
}

async function rehearse() {
  const tree = await prepareTree();
  const { services, configs } = interpolate(readCompose(composeText), await drawSecrets());
  const ports = {
    postgres: await startDatabase(services.postgres.environment.POSTGRES_PASSWORD),
    redis: await startQueue(configs.redis, services.redis),
  };
  const world = { services, tree, ports };
  await runSteps(world);
  const names = Object.keys(services).filter((name) => services[name].build && services[name].restart !== 'no');
  const applications = [];
  for (const name of names) applications.push(await startApplication(name, world));
  await callTool(world, applications.find(({ name }) => name === 'mcp-gateway').port);
  for (const application of applications) await stopApplication(application);
  said(`${names.join(', ')} stopped on their STOPSIGNAL with code 0 and not one warning`);
}

try {
  await rehearse();
} catch (error) {
  console.error(`FAILED  ${error.message}`);
  process.exitCode = 1;
} finally {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
}
