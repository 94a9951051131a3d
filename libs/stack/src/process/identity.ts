import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { errorCode } from '../error-code.js';

/** True while the process exists. A zombie (kept in the table because nobody reaped it, usual in containers) does not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    if (errorCode(error) !== 'EPERM') return false;
  }
  return process.platform !== 'linux' || !['Z', 'X'].includes(linuxStat(pid)?.state ?? 'X');
}

/** The command line, or null when the process is gone or not ours to see. */
export function commandLineOf(pid: number): string | null {
  if (process.platform === 'linux') {
    const raw = readOrNull(`/proc/${pid}/cmdline`);
    return raw ? raw.replaceAll('\0', ' ').trim() : null;
  }
  if (process.platform === 'win32') {
    return answerOf('powershell', [
      '-NoProfile',
      '-Command',
      `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`,
    ]);
  }
  return answerOf('ps', ['-o', 'command=', '-p', String(pid)]);
}

/**
 * A text that tells this process from a later one with the same number: boot and start time on Linux (proc(5), field 22),
 * start time elsewhere. Null when the process is gone.
 */
export function identityOf(pid: number): string | null {
  if (!isRunning(pid)) return null;
  if (process.platform === 'linux') {
    const started = linuxStat(pid)?.started;
    return started === undefined ? null : `${readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}:${started}`;
  }
  if (process.platform === 'win32') {
    return answerOf('powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.Ticks`]);
  }
  return answerOf('ps', ['-o', 'lstart=', '-p', String(pid)]);
}

/** The process that started it, or whoever took over since; null when unknown. */
export function parentOf(pid: number): number | null {
  if (process.platform === 'linux') return linuxStat(pid)?.parent ?? null;
  if (process.platform === 'win32') return null;
  return Number(answerOf('ps', ['-o', 'ppid=', '-p', String(pid)])) || null;
}

/** The fields after the command name, which stands in parentheses and may itself hold spaces and parentheses. */
function linuxStat(pid: number): { state: string; parent: number; started: string } | null {
  const raw = readOrNull(`/proc/${pid}/stat`);
  if (raw === null) return null;
  const fields = raw.slice(raw.lastIndexOf(')') + 2).split(' ');
  const [state, parent, started] = [fields[0], Number(fields[1]), fields[19]];
  return state === undefined || started === undefined ? null : { state, parent, started };
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function answerOf(command: string, args: string[]): string | null {
  const answer = spawnSync(command, args, { encoding: 'utf8', windowsHide: true });
  const text = answer.status === 0 ? answer.stdout.trim() : '';
  return text === '' ? null : text;
}
