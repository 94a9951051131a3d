/** BullMQ's own default is `bull`; a name of ours keeps two products in one Redis apart. */
const DEFAULT_PREFIX = 'perdure';
const DEFAULT_SCHEMA = 'perdure_queue';

export interface RedisAddress {
  kind: 'redis';
  url: string;
  /** Key prefix, from `?prefix=`: lets several installations share one Redis. */
  prefix: string;
}

export interface PostgresAddress {
  kind: 'postgres';
  /** Without `schema` and without a search_path: both live in the two fields below. */
  url: string;
  schema: string;
  /** Remaining `options` of the url, handed to the server as they are. */
  options: string | undefined;
}

export type QueueAddress = RedisAddress | PostgresAddress;

/**
 * Reads a queue url: `redis://`, `rediss://` (`?prefix=`) or `postgres://`, `postgresql://`
 * (`?schema=`, or `options=-c search_path=…`). Throws with a message that shows no password.
 */
export function parseQueueUrl(text: string): QueueAddress {
  const url = readUrl(text);
  if (url.protocol === 'redis:' || url.protocol === 'rediss:') return redisAddress(url);
  if (url.protocol === 'postgres:' || url.protocol === 'postgresql:') return postgresAddress(url);
  throw new Error(`A queue url starts with redis://, rediss:// or postgres://, not ${url.protocol}//.`);
}

function readUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    // The parser's own error carries the input, password included.
    throw new Error('The queue url cannot be read; expected for example redis://127.0.0.1:6379/0.');
  }
}

function redisAddress(url: URL): RedisAddress {
  const prefix = url.searchParams.get('prefix') ?? DEFAULT_PREFIX;
  // Braces are allowed: `{perdure}` puts all keys of a queue into one slot of a Redis Cluster.
  if (!/^[A-Za-z0-9_{}-]{1,40}$/.test(prefix)) {
    throw new Error('The prefix of a redis queue url is 1 to 40 letters, digits, dashes, underscores or braces.');
  }
  url.searchParams.delete('prefix');
  // ioredis reads the others as options that win over ours: `maxRetriesPerRequest=20` alone keeps every worker from starting.
  if (url.searchParams.size > 0) {
    throw new Error('A redis queue url takes the parameter prefix and no other: the options of the client are fixed.');
  }
  return { kind: 'redis', url: url.toString(), prefix };
}

function postgresAddress(url: URL): PostgresAddress {
  const { searchPath, rest } = splitSearchPath(url.searchParams.get('options') ?? '');
  const schema = url.searchParams.get('schema') ?? searchPath ?? DEFAULT_SCHEMA;
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(schema)) {
    throw new Error('The schema of a postgres queue url is one plain identifier of at most 63 characters.');
  }
  // BullMQ pins search_path through `options`; node-postgres lets the url's own `options` win over that, so they leave the url.
  url.searchParams.delete('schema');
  url.searchParams.delete('options');
  return { kind: 'postgres', url: url.toString(), schema, options: rest === '' ? undefined : rest };
}

function splitSearchPath(options: string): { searchPath: string | undefined; rest: string } {
  const found = /-c\s*search_path=("?)([^",\s]+)\1(?:,\S*)?/.exec(options);
  if (!found) return { searchPath: undefined, rest: options.trim() };
  return { searchPath: found[2], rest: options.replace(found[0], '').trim() };
}
