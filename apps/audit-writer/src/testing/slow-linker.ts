// A program: a worker that stands still inside its first link job, between reading and writing, with its event loop blocked.
// Says `linking` there, goes on when it is sent a line, and says `linked`. Arguments: the queue's url, the writer's url.
import { readSync, writeSync } from 'node:fs';
import { auditLink, connectQueues } from '@perdure/queues';
import { Pool } from 'pg';
import { linkPending } from '../link-pending.js';
import { LINK_OPTIONS } from './link-options.js';
import { watchedPool } from './watched-pool.js';

const [queueUrl = '', writerUrl = ''] = process.argv.slice(2);

// Synchronous both: nothing else runs in this process meanwhile, no renewal of a lock and no answer to a server.
const say = (line: string) => writeSync(1, `${line}\n`);
const waitForLine = () => readSync(0, Buffer.alloc(1));

async function main(): Promise<void> {
  const pool = watchedPool(new Pool({ connectionString: writerUrl, max: 1 }), (sql) => {
    if (!sql.startsWith('INSERT INTO audit_entry')) return;
    say('linking');
    waitForLine();
  });
  const queues = await connectQueues({ url: queueUrl, onError: () => undefined });
  const link = async () => {
    await linkPending(pool, LINK_OPTIONS);
    say('linked');
  };
  queues.consumer(auditLink, link, { concurrency: 1 });
  say('ready');
}

void main();
