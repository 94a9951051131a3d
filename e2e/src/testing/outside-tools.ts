import { spawn, type ChildProcess } from 'node:child_process';

/** Paths of the programs in conformance/, as scripts/conformance-tools.mjs hands them over. */
export interface OutsideTools {
  readonly node: string;
  /** Folder of the conformance suite. */
  readonly suite: string;
  readonly inspector: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningTool {
  readonly ended: Promise<Ended>;
  /** Resolves with the first match in what it printed so far and will print; null when it ends without one. */
  readonly printed: (pattern: RegExp) => Promise<string | null>;
}

export function outsideTools(): OutsideTools {
  const tools = process.env['PERDURE_CONFORMANCE_TOOLS'];
  if (tools === undefined) throw new Error('These tests run through `npm run conformance`.');
  return JSON.parse(tools) as OutsideTools; // written by scripts/conformance-tools.mjs of the same sources
}

const running = new Set<ChildProcess>();

/** Ends what a failed test left waiting: a tool that asked for a person's approval waits for minutes. */
export function stopTools(): void {
  for (const child of running) child.kill();
}

/** Runs a script with the Node of the tools. @param env besides our own variables */
export function runTool(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningTool {
  const child = spawn(outsideTools().node, [script, ...args], {
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  const texts = { stdout: '', stderr: '' };
  const onText: (() => void)[] = [];
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
      for (const look of onText) look();
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...texts }));
  });
  const printed = (pattern: RegExp) =>
    new Promise<string | null>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(texts.stdout + texts.stderr);
        if (found !== null) resolve(found[0]);
      };
      onText.push(look);
      look();
      ended.then(() => resolve(null), reject);
    });
  return { ended, printed };
}
