// What every entry (`npm start`, `npm test`, `npm run demo`, `.ci/run`) does first: the right Node, the packages of the
// lock file, a build. Runs before the install, so it uses nothing but Node.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportFailure, TerminalError } from './terminal-error.mjs';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const OLDEST_NODE = [20, 19];
const LOCK = path.join(ROOT, 'package-lock.json');
const STOPPED = 'Stopped before it was ready.';
/** Holds the hash of the lock file that was installed: after a checkout its time stamp says nothing. */
const MARKER = path.join(ROOT, 'node_modules', '.perdure-lock');

/**
 * Installs when node_modules is missing or does not fit the lock file, and builds what changed.
 * `clean` installs anew whatever is there (continuous integration).
 */
export async function setUp({ clean = false } = {}) {
  requireNode(process.versions.node);
  if (clean || !isInstalled()) await install();
  await build();
}

/** @param {string} version such as `20.19.0` */
function requireNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new TerminalError(
    `Perdure needs Node ${OLDEST_NODE.join('.')} or newer; this is Node ${version} (${process.execPath}).\n` +
      'Install a current one from https://nodejs.org, or choose it with your version manager (nvm install 22).',
  );
}

function isInstalled() {
  if (!existsSync(path.join(ROOT, 'node_modules', '.package-lock.json'))) return false;
  if (existsSync(MARKER)) return readFileSync(MARKER, 'utf8') === lockHash();
  // Installed by hand. npm writes its own record and the lock file in the same second, in either order.
  const installed = statSync(path.join(ROOT, 'node_modules', '.package-lock.json')).mtimeMs;
  return installed >= statSync(LOCK).mtimeMs - 2000;
}

async function install() {
  console.log('Installing packages (npm ci); the first time takes about a minute.');
  // Development packages too, whatever NODE_ENV says: the compiler is one of them.
  const [command, args, options] = npm('ci', '--include=dev', '--no-audit', '--no-fund');
  // What it warns of concerns whoever chooses the packages; all of it is shown when it fails.
  const output = [];
  const code = await run(command, args, { ...options, output, whenStopped: STOPPED });
  if (code !== 0) {
    const why = 'npm ci failed; see above. It needs the package registry, or a filled npm cache.';
    throw new TerminalError(`${Buffer.concat(output).toString()}\n${why}`);
  }
  writeFileSync(MARKER, lockHash());
}

async function build() {
  const started = performance.now();
  const nx = path.join(ROOT, 'node_modules', 'nx', 'dist', 'bin', 'nx.js');
  const output = [];
  const unbuilt = packagesWithoutBuild();
  if (unbuilt > 0)
    console.log(
      `Building ${unbuilt} ${unbuilt === 1 ? 'package' : 'packages'}; the first time takes one to two minutes.`,
    );
  // The daemon and the terminal interface would outlive or garble what follows.
  const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true' };
  const argv = [nx, 'run-many', '-t', 'build', '--output-style=static'];
  const code = await run(process.execPath, argv, { env, output, whenStopped: STOPPED });
  if (code !== 0) throw new TerminalError(`${Buffer.concat(output).toString()}\nThe build failed; see above.`);
  const seconds = (performance.now() - started) / 1000;
  if (seconds > 5) console.log(`Built in ${seconds.toFixed(0)} s.`);
}

/** How many of the packages that are built have never been: libraries and applications. */
function packagesWithoutBuild() {
  const folders = ['libs', 'apps'].flatMap((group) =>
    readdirSync(path.join(ROOT, group)).map((name) => path.join(ROOT, group, name)),
  );
  const isUnbuilt = (folder) => existsSync(path.join(folder, 'package.json')) && !existsSync(path.join(folder, 'dist'));
  return folders.filter(isUnbuilt).length;
}

/** The npm that started us, else the one on PATH. */
export function npm(...args) {
  const program = process.env.npm_execpath;
  if (program?.endsWith('.js')) return [process.execPath, [program, ...args]];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { shell: process.platform === 'win32' }];
}

const lockHash = () => createHash('sha256').update(readFileSync(LOCK)).digest('hex');

/**
 * Runs a program in the repository and resolves with its exit code. `output` collects what it prints instead of showing
 * it. Signals that arrive meanwhile go on to it, so that nothing is left running; `whenStopped` is printed after one.
 */
export function run(command, args, options = {}) {
  const { env = process.env, output = null, shell = false, quietStdout = false, whenStopped = null } = options;
  return new Promise((resolve, reject) => {
    const shown = ['ignore', quietStdout ? 'ignore' : 'inherit', 'inherit'];
    const stdio = output ? ['ignore', 'pipe', 'pipe'] : shown;
    const child = spawn(command, args, { cwd: ROOT, env, stdio, shell });
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    let stopped = false;
    const pass = (signal) => {
      stopped = true;
      child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const name of signals) process.off(name, pass);
      // npm and Nx answer some signals with an exit code of their own.
      if (stopped && whenStopped !== null) console.log(`\n${whenStopped}`);
      if (signal || (stopped && whenStopped !== null)) process.exit(1);
      resolve(code);
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  setUp({ clean: process.argv.includes('--ci') }).catch((error) => {
    process.exitCode = reportFailure(error);
  });
}
