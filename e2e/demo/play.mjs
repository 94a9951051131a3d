// Plays the story against the stack of a data folder, which must be built; without a running one, against a stack that it
// starts and stops itself. `npm run demo` is this after the set-up.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { playStory } from './story.mjs';

const print = (line) => process.stdout.write(`${line}\n`);

/** @param {{ dataDir: string, portBase: number }} stack */
export async function playDemo({ dataDir, portBase }) {
  const running = await runningStack(path.join(dataDir, 'stack.json'));
  if (running !== null) return playStory(running, print);
  print('No stack runs; starting one for the demo.');
  const { launchStack } = createRequire(import.meta.url)('@perdure/stack');
  const stack = await launchStack({ dataDir, portBase, env: process.env, print: () => undefined });
  try {
    await playStory(stack.stack, print);
  } finally {
    await stack.stop();
  }
}

/** What stack.json says, when its gateway answers. */
async function runningStack(file) {
  if (!existsSync(file)) return null;
  const stack = JSON.parse(readFileSync(file, 'utf8'));
  if (stack.ready !== true) return null;
  const health = new URL('/healthz', stack.mcp_url);
  const answers = await fetch(health).then(
    (response) => response.ok,
    () => false,
  );
  return answers ? stack : null;
}
