import { parseQueueUrl, redisForCommands } from '@perdure/queues';
import {
  addressRequestsPerMinute,
  credentialRequestsPerMinute,
  failedAuthenticationsPerMinute,
  queueUrl,
  RequestLimits,
  type ConfigOf,
  type ProcessContext,
  type SharedCounts,
} from '@perdure/service';
import { countRequests } from '@perdure/store';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { OpenedOperations } from './open-operations.js';

/** What a process that limits requests must be told. */
export const LIMIT_SETTINGS = {
  queueUrl: queueUrl(),
  credentialRequestsPerMinute: credentialRequestsPerMinute(),
  failedAuthenticationsPerMinute: failedAuthenticationsPerMinute(),
  addressRequestsPerMinute: addressRequestsPerMinute(),
};

/**
 * The limits of the edge over counters that all processes of the installation share: in the Redis of the queue, or
 * beside the data where there is none. Never fails: without the counters each process counts for itself.
 */
export function openLimits(
  { dataSource }: Pick<OpenedOperations, 'dataSource'>,
  config: ConfigOf<typeof LIMIT_SETTINGS>,
  { lifecycle, logger }: Pick<ProcessContext, 'lifecycle' | 'logger'>,
): RequestLimits {
  const address = parseQueueUrl(config.queueUrl);
  const shared = address.kind === 'redis' ? inRedis(address) : inPostgres(dataSource);
  const limits = new RequestLimits({
    counts: shared.counts,
    onAway: (error, failures) =>
      logger.error(
        { err: error, failures },
        'the counters of rate limits do not answer: each process limits by what it counts itself',
      ),
    perCredential: config.credentialRequestsPerMinute,
    failuresPerAddress: config.failedAuthenticationsPerMinute,
    requestsPerAddress: config.addressRequestsPerMinute,
  });
  lifecycle.onStop('limits', () => limits.close().finally(shared.close), 2_000);
  return limits;
}

interface OpenCounts {
  readonly counts: SharedCounts;
  readonly close: () => void;
}

/** The library counts and forgets. The limits are ours, because that of a workspace changes from one minute to the next. */
function inRedis(address: Parameters<typeof redisForCommands>[0]): OpenCounts {
  // What it fails at shows in the answers.
  const storeClient = redisForCommands(address, () => undefined);
  const keyPrefix = `${address.prefix}:limits`;
  const limiter = new RateLimiterRedis({ storeClient, keyPrefix, points: 1, duration: 60 });
  return {
    counts: {
      add: async (key, count) => {
        const { consumedPoints, msBeforeNext } = await limiter.penalty(key, count);
        return { total: consumedPoints, resetsInMs: msBeforeNext };
      },
    },
    close: () => storeClient.disconnect(),
  };
}

const inPostgres = (dataSource: OpenedOperations['dataSource']): OpenCounts => ({
  counts: { add: (key, count) => countRequests(dataSource, key, count) },
  close: () => undefined,
});
