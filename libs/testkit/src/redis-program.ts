import { findRedisServer } from '@perdure/stack/services';
import { obtainProgram } from './system-program.js';

/** The path of a redis-server. Throws with what to install. */
export const obtainRedisServer = (): string =>
  obtainProgram({
    name: 'redis-server',
    find: () => findRedisServer(),
    packageName: 'redis-server',
    advice:
      'Install Redis (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis), or test the other queue alone: npm test -- --queue=postgres',
  });
