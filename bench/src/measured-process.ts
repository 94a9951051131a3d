import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What a process took from its start to its end. */
export interface Taken {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakMb: number;
  readonly stdout: string;
}

/** Often enough to see nearly the last of a process that takes half a second. */
const LOOK_EVERY_MS = 4;
/** proc(5): times are in ticks, of which Linux has a hundred a second for programs on every machine in use. */
const TICK_MS = 10;

/** Runs a program to its end and reads off /proc what it took; Linux only. Peak memory is its high-water mark. */
export async function measuredProcess(
  command: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Taken> {
  const startedAt = performance.now();
  const child = spawn(command, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  let [cpuMs, peakMb] = [0, 0];
  const look = () => {
    const seen = child.pid === undefined ? null : lookAt(child.pid);
    if (seen !== null) [cpuMs, peakMb] = [Math.max(cpuMs, seen.cpuMs), Math.max(peakMb, seen.peakMb)];
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearInterval(timer));
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}`);
  return { cpuMs, peakMb, wallMs: performance.now() - startedAt, stdout: Buffer.concat(chunks).toString('utf8') };
}

function lookAt(pid: number): Pick<Taken, 'cpuMs' | 'peakMb'> | null {
  try {
    // The name stands in brackets and may hold anything; user and system time are the 12th and 13th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, peakMb: Number(peak ?? 0) / 1024 };
  } catch {
    return null; // it has ended
  }
}
