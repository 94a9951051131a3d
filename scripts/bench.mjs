// `npm run bench [-- --quick] [--only name,…]`: set-up, then the benches. bench/src/main.ts says what they measure.
import path from 'node:path';
import { ROOT, run, setUp } from './setup.mjs';
import { reportFailure } from './terminal-error.mjs';

try {
  await setUp();
  const hook = path.join(ROOT, 'jest.source-hook.cjs');
  const main = path.join(ROOT, 'bench', 'src', 'main.ts');
  // The benches from their sources, the product as built.
  process.exitCode = await run(process.execPath, ['--require', hook, main, ...process.argv.slice(2)]);
} catch (error) {
  process.exitCode = reportFailure(error);
}
