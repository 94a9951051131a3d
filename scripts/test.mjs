// `npm test [-- jest arguments] [--queue=redis|postgres|both] [--with-conformance]`: set-up, then every test on real
// servers.
// Alone it runs all tests on Redis and those that depend on the queue once more on Postgres; with jest arguments it runs
// once, on Redis. A whole run repeats the few files that failed, alone: the machine is at its limit then, with databases,
// workers and browsers beside each other. What fails both times failed; what passed alone is named as unsteady, to be
// looked into. `--with-conformance` adds what `npm run conformance` runs. The last line is the sum: `N passed, N failed`.
import { judgeConformance } from './conformance.mjs';
import { runJest } from './jest-run.mjs';
import { setUp } from './setup.mjs';
import { reportFailure } from './terminal-error.mjs';

/** Projects whose tests take another path on the other queue. */
const QUEUE_PROJECTS = ['queues', 'audit-writer', 'usage-ingest', 'e2e', 'api', 'mcp-gateway'];
/** Hundreds of refusals at every door, of which none comes near a queue; and what jest.config.cjs leaves out. */
const WITHOUT_QUEUE = '/e2e/src/(?:bad-input\\.spec|conformance/)';
const WITH_CONFORMANCE = '--with-conformance';
const QUEUES = { redis: ['redis'], postgres: ['postgres'], both: ['redis', 'postgres'] };

/** What to run: one entry per jest run. */
function planRuns(argv) {
  const asked = argv
    .filter((argument) => argument.startsWith('--queue='))
    .at(-1)
    ?.slice('--queue='.length);
  if (asked !== undefined && !(asked in QUEUES)) throw new Error(`--queue is redis, postgres or both, not ${asked}.`);
  const jestArguments = argv.filter((argument) => !argument.startsWith('--queue='));
  const chosen = jestArguments.length > 0;
  if (chosen || asked === 'redis' || asked === 'postgres') {
    return QUEUES[asked ?? 'redis'].map((queue) => ({ queue, jestArguments, chosen }));
  }
  return [
    { queue: 'redis', jestArguments: [], chosen },
    {
      queue: 'postgres',
      jestArguments: ['--testPathIgnorePatterns', WITHOUT_QUEUE, '--selectProjects', ...QUEUE_PROJECTS],
      chosen,
    },
  ];
}

async function main(argv) {
  const withConformance = argv.includes(WITH_CONFORMANCE);
  const runs = planRuns(argv.filter((argument) => argument !== WITH_CONFORMANCE));
  await setUp();
  const total = { passed: 0, failed: 0 };
  const add = ({ passed, failed }) => {
    total.passed += passed;
    total.failed += failed;
  };
  for (const planned of runs) {
    console.log(`\nTests with the queue on ${planned.queue}`);
    add(await runJest(planned));
  }
  if (withConformance) add(await judgeConformance());
  if (total.passed + total.failed === 0) console.log('\nNo test ran.');
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = await main(process.argv.slice(2)).catch(reportFailure);
}
