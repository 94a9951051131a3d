// Whether a stack serves a data folder, found out before anything is installed or built: nothing but Node.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TerminalError } from './terminal-error.mjs';

/** A stack whose terminal was just closed says within this time that it stops. */
const NOTICE_MS = 2_000;

/** What stack.json of the data folder says, when its gateway answers; else null. @param {string} dataDir */
export async function runningStack(dataDir) {
  const stack = readJson(path.join(dataDir, 'stack.json'));
  if (stack?.ready !== true) return null;
  const answers = await fetch(new URL('/healthz', stack.mcp_url)).then(
    (response) => response.ok,
    () => false,
  );
  return answers ? stack : null;
}

/**
 * Refuses while another launcher serves the data folder. One that was killed, or that is stopping, is left to the launch
 * itself, whose lock decides in any case: this only spares a build that would lead nowhere.
 *
 * @param {string} dataDir
 * @throws TerminalError
 */
export async function refuseWhileRunning(dataDir) {
  const deadline = Date.now() + NOTICE_MS;
  for (;;) {
    const stack = await runningStack(dataDir);
    const pid = readJson(path.join(dataDir, 'launcher.json'))?.pid;
    if (stack === null || !isAlive(pid)) return;
    if (Date.now() >= deadline) throw alreadyRunning(dataDir, pid, stack);
    await pause(200);
  }
}

const alreadyRunning = (dataDir, pid, { mcp_url: mcpUrl }) =>
  new TerminalError(
    `A stack already runs on ${dataDir} (pid ${pid}, MCP at ${mcpUrl}). Stop it with Ctrl-C in its terminal or ` +
      `\`kill ${pid}\`, or start another one beside it with --data DIR --port-base N.`,
  );

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    return Number.isInteger(pid) && process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Killed, and nobody has asked yet how it ended: common in containers. */
function isZombie(pid) {
  const status = `/proc/${pid}/stat`;
  return existsSync(status) && /\) Z /.test(readFileSync(status, 'latin1'));
}
