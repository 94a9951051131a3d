import { readFileSync, statfsSync } from 'node:fs';
import os from 'node:os';

/** Where the figures come from: they mean little without it. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly node: string;
  readonly kernel: string;
  /** Of the one minute before; above the number of cores, something else is at work. */
  readonly load: number;
}

export function machine(): Machine {
  const cpus = os.cpus();
  return {
    cores: cpus.length,
    processor: cpus[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
    kernel: `${os.type()} ${os.release()}`,
    load: Math.round((os.loadavg()[0] ?? 0) * 10) / 10,
  };
}

export const machineLine = (m: Machine): string =>
  `${m.cores} cores (${m.processor}), ${m.memoryGb} GB, ${m.kernel}, node ${m.node}, load ${m.load}`;

const FILE_SYSTEMS: Readonly<Record<number, string>> = { 0xef53: 'ext4', 0x58465342: 'xfs', 0x01021994: 'tmpfs' };

/** The kind of file system below a path: on tmpfs an fsync costs nothing, and a figure of durable writes is none. */
export function fileSystemOf(path: string): string {
  const type = statfsSync(path).type;
  const known = FILE_SYSTEMS[type];
  if (known !== undefined) return known;
  return process.platform === 'linux' && readFileSync('/proc/filesystems', 'utf8').includes('overlay')
    ? `type 0x${type.toString(16)}`
    : 'unknown';
}
