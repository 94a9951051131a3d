import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'pg';

/** Empties a queue of every job it holds, as an operator's mistake would. */
export function flushQueue(url: string): Promise<void> {
  return url.startsWith('redis') ? flushRedis(url) : flushPostgres(url);
}

/** The whole server. Three commands do not need a client library. */
async function flushRedis(url: string): Promise<void> {
  const { hostname, port, password } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let answers = '';
  socket.on('data', (chunk: Buffer) => (answers += chunk.toString()));
  socket.write(`AUTH ${decodeURIComponent(password)}\r\nFLUSHALL\r\nQUIT\r\n`);
  await once(socket, 'close');
  if (!answers.startsWith('+OK\r\n+OK\r\n')) throw new Error(`Redis was not flushed: ${answers}`);
}

async function flushPostgres(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('TRUNCATE perdure_queue.job CASCADE');
  await client.end();
}
