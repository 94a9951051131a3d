// `npm run check [-- step …]`: everything a machine can judge without running the product. Needs no network and no daemon.
// Every step runs, whatever the others say; the output of failed ones is printed at the end.
import { spawn } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Lint and types take most of the time and one core each, so two run at a time. */
const AT_ONCE = 2;

const count = (output, pattern) => output.match(pattern)?.length ?? 0;
const tool = (file) => path.join('node_modules', ...file.split('/'));

/** Slowest first, so that the quick ones fill the second core. */
const STEPS = [
  {
    name: 'lint',
    what: 'house rules and module boundaries (eslint)',
    argv: [tool('eslint/bin/eslint.js'), '--max-warnings=0', '.'],
    problems: (output) => Number(/✖ (\d+) problems?/.exec(output)?.[1] ?? 1),
  },
  {
    name: 'types',
    what: 'types of sources and tests (tsc)',
    argv: [tool('typescript/bin/tsc'), '-p', 'tsconfig.check.json', '--pretty', 'false'],
    problems: (output) => count(output, /error TS\d+/g),
  },
  {
    name: 'format',
    what: 'formatting (prettier)',
    // By content, not by time stamp: a fresh checkout touches every file.
    argv: [
      tool('prettier/bin/prettier.cjs'),
      '--check',
      '--log-level=warn',
      '--cache',
      '--cache-strategy=content',
      '.',
    ],
    problems: (output) => count(output, /^\[(?:warn|error)\] [^\s:]+\.\w+(?::|$)/gm),
  },
  {
    name: 'unused',
    what: 'unused or unlisted exports, files and dependencies (knip)',
    argv: [tool('knip/bin/knip.js'), '--no-progress', '--no-config-hints'],
    problems: (output) => [...output.matchAll(/^\w.* \((\d+)\)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0),
  },
  {
    name: 'cycles',
    what: 'import cycles, type imports included (oxlint)',
    argv: [tool('oxlint/bin/oxlint'), '--format=unix', 'libs', 'apps', 'e2e', 'bench'],
    problems: (output) => count(output, /no-cycle/g),
  },
  {
    name: 'reference',
    what: 'docs/reference is what the catalogue says',
    argv: ['--conditions=@perdure/source', '--require', './jest.source-hook.cjs', 'scripts/reference.mjs', '--check'],
    problems: (output) => count(output, /^docs\/reference\/\S+:1 {2}/gm),
  },
  {
    name: 'repository',
    what: 'repository rules (tests, paths, hosts, lengths, lock file)',
    argv: ['scripts/check/repository-rules.mjs'],
    problems: (output) => count(output, /^\S+:\d+ {2}/gm),
  },
];

const ENVIRONMENT = { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NO_COLOR: '1', FORCE_COLOR: undefined };

const run = (step) =>
  new Promise((resolve) => {
    const started = performance.now();
    const chunks = [];
    const child = spawn(process.execPath, step.argv, {
      cwd: ROOT,
      env: ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    const end = (passed) =>
      resolve({
        step,
        passed,
        seconds: (performance.now() - started) / 1000,
        output: Buffer.concat(chunks).toString(),
      });
    child.on('error', (error) => {
      chunks.push(Buffer.from(`cannot run: ${error.message}\n`));
      end(false);
    });
    child.on('close', (code) => end(code === 0));
  });

const printVerdict = ({ step, passed, seconds, output }) => {
  const found = passed ? 0 : step.problems(output);
  const failure = found > 0 ? `FAILED, ${found} ${found === 1 ? 'problem' : 'problems'}` : 'FAILED';
  const verdict = passed ? 'ok' : failure;
  console.log(`${step.name.padEnd(11)} ${seconds.toFixed(1).padStart(5)} s  ${step.what}: ${verdict}`);
};

const runAll = async (steps) => {
  const waiting = [...steps];
  const results = [];
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const result = await run(step);
      printVerdict(result);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
};

const chosenSteps = (names) => {
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(`No step ${unknown.join(', ')}. Steps: ${STEPS.map((step) => step.name).join(', ')}.`);
    process.exit(2);
  }
  return names.length > 0 ? STEPS.filter((step) => names.includes(step.name)) : STEPS;
};

const started = performance.now();
const results = await runAll(chosenSteps(process.argv.slice(2)));
const failed = results.filter((result) => !result.passed);
for (const { step, output } of failed) console.log(`\n--- ${step.name} ---\n${output.trim()}`);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  failed.length === 0
    ? `\nAll ${results.length} steps passed in ${seconds} s.`
    : `\n${failed.length} of ${results.length} steps failed in ${seconds} s: ${failed.map(({ step }) => step.name).join(', ')}.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
