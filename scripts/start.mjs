// `npm start [-- --port-base N --data DIR]`: set-up, then the stack, in this one process so that a signal reaches it.
import { createRequire } from 'node:module';
import { reportFailure, setUp } from './setup.mjs';

try {
  await setUp();
  const { main } = createRequire(import.meta.url)('@perdure/stack/main');
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  process.exit(reportFailure(error));
}
