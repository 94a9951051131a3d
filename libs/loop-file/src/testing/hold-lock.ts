// A program that takes a lock, says so, and keeps it until it is killed.
import { withFileLock } from '../file-lock.js';

const [lock = ''] = process.argv.slice(2);

withFileLock(lock, { waitMs: 120_000 }, async () => {
  process.stdout.write('held\n');
  await new Promise((resolve) => setTimeout(resolve, 3_600_000));
}).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
