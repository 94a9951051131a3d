// `npm run demo [-- --data DIR --port-base N]`: plays the story of the README against the running stack; when none runs,
// against one that it starts and stops itself.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { reportFailure, ROOT, setUp } from './setup.mjs';

const DEFAULT_PORT_BASE = 7400;

try {
  const options = { data: { type: 'string' }, 'port-base': { type: 'string' } };
  const { values } = parseArgs({ args: process.argv.slice(2), options });
  const dataDir = path.resolve(process.env.INIT_CWD ?? process.cwd(), values.data ?? path.join(ROOT, '.perdure'));
  await setUp();
  // Not before the set-up: it needs the packages.
  const { playDemo } = await import('../e2e/demo/play.mjs');
  await playDemo({ dataDir, portBase: Number(values['port-base'] ?? DEFAULT_PORT_BASE) });
} catch (error) {
  process.exitCode = reportFailure(error);
}
