// `npm start [-- --port-base N --data DIR]`: set-up, then the stack, in this one process so that a signal reaches it.
import { createRequire } from 'node:module';
import { refuseWhileRunning } from './running-stack.mjs';
import { setUp } from './setup.mjs';
import { readArguments } from './stack-arguments.mjs';
import { reportFailure } from './terminal-error.mjs';

try {
  process.exit(await start(readArguments('npm start', process.argv.slice(2))));
} catch (error) {
  process.exit(reportFailure(error));
}

async function start(stack) {
  if (stack === null) return 0;
  await refuseWhileRunning(stack.dataDir);
  await setUp();
  const { serveStack } = createRequire(import.meta.url)('@perdure/stack/main');
  return serveStack(stack);
}
