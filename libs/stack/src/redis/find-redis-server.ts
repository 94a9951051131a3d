import { findProgram } from '../process/find-program.js';

/** The `redis-server` a shell would run, or null when there is none on PATH. */
export const findRedisServer = (searchPath?: string): string | null =>
  findProgram([process.platform === 'win32' ? 'redis-server.exe' : 'redis-server'], searchPath);
