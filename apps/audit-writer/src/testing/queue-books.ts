import { auditLink } from '@perdure/queues';
import type { TestQueue } from '@perdure/testkit';
import { Client } from 'pg';
import { redisCommand } from './redis-command.js';

/** What BullMQ has written down about the link queue. */
export interface QueueBooks {
  /** Jobs that a worker has taken and not finished. */
  active(): Promise<number>;
  /** Jobs that are given up for good. */
  failed(): Promise<number>;
  /** Active jobs that the last check for stalled ones has marked: the next check hands out those without a lock. */
  marked(): Promise<number>;
  /** Ends the locks of the active jobs and the pause before the next check: what else takes 30 s each. */
  expire(): Promise<void>;
  /** Everything in the backend as text. */
  dump(): Promise<string>;
}

export function queueBooks({ url, kind }: Pick<TestQueue, 'url' | 'kind'>): QueueBooks {
  return kind === 'redis' ? redisBooks(url) : postgresBooks(url);
}

const EXPIRE = `
  for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*:lock')) do redis.call('DEL', key) end
  redis.call('DEL', ARGV[1] .. 'stalled-check')
  return 1`;

/** Jobs are hashes, everything else of BullMQ is a list, a set, a sorted set, a stream or a string. */
const DUMP = `
  local read = { hash = {'HGETALL'}, list = {'LRANGE', 0, -1}, set = {'SMEMBERS'}, zset = {'ZRANGE', 0, -1},
    stream = {'XRANGE', '-', '+'}, string = {'GET'} }
  local all = {}
  for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
    local command = read[redis.call('TYPE', key).ok]
    all[#all + 1] = { key, redis.call(command[1], key, unpack(command, 2)) }
  end
  return cjson.encode(all)`;

function redisBooks(url: string): QueueBooks {
  const prefix = `${new URL(url).searchParams.get('prefix') ?? 'perdure'}:${auditLink.name}:`;
  const count = async (command: string, key: string) =>
    Number((await redisCommand(url, command, prefix + key)).slice(1));
  return {
    active: () => count('LLEN', 'active'),
    failed: () => count('ZCARD', 'failed'),
    marked: () => count('SCARD', 'stalled'),
    expire: async () => void (await redisCommand(url, 'EVAL', EXPIRE, 0, prefix)),
    dump: () => redisCommand(url, 'EVAL', DUMP, 0, prefix),
  };
}

function postgresBooks(url: string): QueueBooks {
  const run = async (sql: string): Promise<Record<string, unknown>[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const count = async (condition: string) =>
    Number((await run(`SELECT count(*) AS jobs FROM perdure_queue.job WHERE ${condition}`))[0]?.['jobs']);
  return {
    active: () => count(`state = 'active'`),
    failed: () => count(`state = 'failed'`),
    marked: () => count('stalled_marked'),
    expire: async () => {
      await run(`UPDATE perdure_queue.job SET locked_until_ms = 0 WHERE state = 'active'`);
      await run(`DELETE FROM perdure_queue.meta WHERE field = 'stalled-check'`);
    },
    dump: async () => {
      const [row] = await run(`SELECT schema_to_xml('perdure_queue', true, false, '')::text AS text`);
      return String(row?.['text']);
    },
  };
}
