import { gzipSync } from 'node:zlib';
import { catalogue } from '@perdure/contracts';
import { objectOf, requested, type Arguments } from '../rest/call-operation.js';
import type { ServerAddress } from '../rest/server-address.js';
import type { UsageBatch } from './usage-batches.js';

/** A server that takes a batch answers when it is durable: a matter of seconds, of a minute when it is pressed. */
const TIMEOUT_MS = 120_000;

/** @returns what submit_usage_batch answers @throws CommandFailure as the server refuses, or when it is away */
export async function sendBatch(server: ServerAddress, { key, lines }: UsageBatch): Promise<Arguments> {
  const { method, path } = catalogue.usage.submitUsageBatch.route;
  const response = await requested(server, `${path}?batch_key=${encodeURIComponent(key)}`, {
    method,
    headers: { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
    body: new Uint8Array(gzipSync(lines)),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return objectOf(response);
}
