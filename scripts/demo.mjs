// `npm run demo [-- --data DIR --port-base N]`: plays the story of the README against the running stack; when none runs,
// against one that it starts and stops itself.
import { setUp } from './setup.mjs';
import { readArguments } from './stack-arguments.mjs';
import { reportFailure } from './terminal-error.mjs';

try {
  const stack = readArguments('npm run demo', process.argv.slice(2));
  if (stack !== null) await play(stack);
} catch (error) {
  process.exitCode = reportFailure(error);
}

async function play(stack) {
  await setUp();
  // Not before the set-up: it needs the packages.
  const { playDemo } = await import('../e2e/demo/play.mjs');
  await playDemo(stack);
}
