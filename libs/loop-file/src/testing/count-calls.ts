// A program: as many calls of one session as asked, one after the other, from the moment it reads a line. Prints each answer.
import { once } from 'node:events';
import { openLoopFile } from '../index.js';

const [root = '', sessionId = '', calls = '1', cap = '40'] = process.argv.slice(2);

async function main(): Promise<void> {
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  process.stdin.destroy();
  // A slow machine with twenty processes on one disk may keep one of them waiting for long.
  const loop = openLoopFile(root, { limits: { cap: Number(cap) }, waitMs: 120_000 });
  for (let call = 0; call < Number(calls); call += 1) {
    process.stdout.write(`${JSON.stringify(await loop.countCall({ session_id: sessionId }))}\n`);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
