// Plays the story against the stack of a data folder, which must be built; without a running one, against a stack that it
// starts and stops itself. `npm run demo` is this after the set-up.
import { createRequire } from 'node:module';
import { runningStack } from '../../scripts/running-stack.mjs';
import { TerminalError } from '../../scripts/terminal-error.mjs';
import { playStory } from './story.mjs';

const print = (line) => process.stdout.write(`${line}\n`);

/** @param {{ dataDir: string, portBase: number, commandFor: (portBase: number) => string }} stack */
export async function playDemo(stack) {
  const running = await runningStack(stack.dataDir);
  if (running !== null) return playStory(running, print);
  print(`No stack runs on ${stack.dataDir}; starting one for the demo (another one: npm run demo -- --data DIR).`);
  const started = await launch(stack);
  try {
    await playStory(started.stack, print);
  } finally {
    await started.stop();
  }
}

async function launch({ dataDir, portBase, commandFor }) {
  const { launchStack, explainLaunchFailure } = createRequire(import.meta.url)('@perdure/stack');
  try {
    return await launchStack({ dataDir, portBase, env: process.env, print: () => undefined });
  } catch (error) {
    throw new TerminalError(explainLaunchFailure(error, { portBase, commandFor }));
  }
}
