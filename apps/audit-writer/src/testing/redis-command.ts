import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * One command to the Redis of a test's own, over a connection of its own; answers with the reply as the protocol (RESP2)
 * writes it, such as `:3`. Throws with Redis's error. The writer itself knows no Redis client, so its tests bring none.
 */
export async function redisCommand(url: string, ...words: (string | number)[]): Promise<string> {
  const { hostname, port, password } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  // QUIT ends the connection behind the reply, so that its length need not be understood.
  const lines = [password === '' ? ['PING'] : ['AUTH', password], words.map(String), ['QUIT']];
  socket.write(lines.map(encoded).join(''));
  await once(socket, 'close');
  const reply = text.split('\r\n').slice(1, -2).join('\r\n');
  if (reply.startsWith('-')) throw new Error(reply);
  return reply;
}

function encoded(words: readonly string[]): string {
  const bulks = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${bulks.join('')}`;
}
