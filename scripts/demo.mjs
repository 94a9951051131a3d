// `npm run demo [-- --data DIR --port-base N]`: plays the story of the README against the running stack; when none runs,
// against one that it starts and stops itself.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { reportFailure, ROOT, setUp } from './setup.mjs';

const DEFAULT_PORT_BASE = 7400;
const print = (line) => process.stdout.write(`${line}\n`);

try {
  const options = { data: { type: 'string' }, 'port-base': { type: 'string' } };
  const { values } = parseArgs({ args: process.argv.slice(2), options });
  const dataDir = path.resolve(process.env.INIT_CWD ?? process.cwd(), values.data ?? path.join(ROOT, '.perdure'));
  await setUp();
  await play(dataDir, Number(values['port-base'] ?? DEFAULT_PORT_BASE));
} catch (error) {
  process.exitCode = reportFailure(error);
}

async function play(dataDir, portBase) {
  const { playStory } = await import('../e2e/demo/story.mjs');
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
