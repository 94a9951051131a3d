import { Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from './queue-address.js';

export const RECONNECT: RedisOptions = {
  connectTimeout: 5000,
  disconnectTimeout: 200,
  retryStrategy: (attempt) => Math.min(attempt * 200, 2000),
};

/**
 * A client for commands that are answered or fail soon, and that connects again by itself; to be ended by `disconnect`.
 *
 * @param failed told of every attempt that failed, thousands an hour while the server is down
 */
export function redisForCommands(address: RedisAddress, failed: (error: Error) => void): Redis {
  const client = new Redis(address.url, {
    ...RECONNECT,
    // Fail at once while the server is away: with the offline queue an add waits as long as the outage lasts.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // A connection that swallows commands without an answer is torn down and made again.
    socketTimeout: 5000,
  });
  client.on('error', failed);
  return client;
}
