import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { build } from 'esbuild';

export interface Child {
  readonly pid: number;
  /** The next line it prints; throws with what it wrote to stderr when it ends before. */
  readonly line: () => Promise<string>;
  readonly send: (text: string) => void;
  /** Every further line until it ends; throws when it ends with a status other than 0. */
  readonly rest: () => Promise<string[]>;
  /** SIGKILL, and waits until it is gone. */
  readonly kill: () => Promise<void>;
}

export interface ChildPrograms {
  /** Starts a program of this folder in a process of its own. */
  readonly start: (name: string, args: readonly string[], options?: { uid?: number; gid?: number }) => Child;
  /** Kills what still runs. */
  readonly close: () => Promise<void>;
}

/** Bundles programs of this folder, so that twenty of them start in a second. */
export async function childPrograms(names: readonly string[]): Promise<ChildPrograms> {
  const folder = mkdtempSync(path.join(tmpdir(), 'perdure-loop-file-'));
  // For tests that run a program as somebody else.
  chmodSync(folder, 0o755);
  await build({
    entryPoints: names.map((name) => path.join(__dirname, `${name}.ts`)),
    outdir: folder,
    bundle: true,
    platform: 'node',
    conditions: ['@perdure/source'],
    logLevel: 'error',
  });
  const running = new Set<Child>();
  return {
    start: (name, args, options = {}) => {
      const child = spawn(process.execPath, [path.join(folder, `${name}.js`), ...args], {
        ...options,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const started = wrap(child);
      running.add(started);
      return started;
    },
    close: async () => {
      await Promise.all([...running].map((child) => child.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function wrap(child: ChildProcessByStdio<Writable, Readable, Readable>): Child {
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  // A child that was killed reads no more; what it is sent then is of no interest.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close');
  const lines = linesOf(createInterface({ input: child.stdout }));
  const failure = () => new Error(`the child ended with ${String(child.exitCode)}: ${errors.join('')}`);
  return {
    pid: child.pid ?? 0,
    line: async () => {
      const { value, done } = await lines.next();
      if (done === true) throw failure();
      return value;
    },
    send: (text) => child.stdin.write(text),
    rest: async () => {
      const rest: string[] = [];
      for (let next = await lines.next(); next.done !== true; next = await lines.next()) rest.push(next.value);
      await ended;
      if (child.exitCode !== 0) throw failure();
      return rest;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const linesOf = (reader: Interface): AsyncIterator<string> => reader[Symbol.asyncIterator]();
