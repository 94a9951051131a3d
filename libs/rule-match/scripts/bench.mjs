// How long a query takes with 10, 1,000 and 10,000 rules: the index against the naive loop with the same matchers.
// Needs `npm run build` before. usage: node scripts/bench.mjs [SEED]
import { compileRules, loopOverRules } from '../dist/index.js';

const SIZES = [10, 1_000, 10_000];
const QUERIES = 1_000;
/** The loop is slow, so it is asked less often. */
const LOOP_QUERIES = { 10: 1_000, 1_000: 200, 10_000: 30 };
/** Of so many rounds the quietest is told: whatever else the machine does only adds to a time. */
const ROUNDS = 5;

/** Mulberry32: the same rules and changes on every machine. */
const randomFrom = (seed) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
const random = randomFrom(Number(process.argv[2] ?? 1));
const below = (count) => Math.floor(random() * count);
const pick = (list) => list[below(list.length)];

const ENDINGS = ['ts', 'tsx', 'py', 'go', 'rs', 'sql', 'css', 'md'];
const PARTS = ['core', 'web', 'api', 'store', 'billing', 'search', 'auth', 'mail'];
const LANGUAGES = ['typescript', 'python', 'go', 'rust', 'sql', 'css'];

/**
 * A workspace of many packages. Most rules hold for one package or module, as rules do that someone wrote for his own
 * code; a share of a few in ten thousand holds for every file of a language, or always.
 */
const triggersOf = (packages) => {
  const folder = `packages/p${below(packages)}`;
  const sort = random();
  if (sort < 0.25) return { paths: [`${folder}/**`] };
  if (sort < 0.4) return { paths: [`${folder}/src/**/*.{ts,tsx}`, `!${folder}/src/gen/**`] };
  if (sort < 0.5) return { paths: [`**/${pick(PARTS)}-${below(packages)}/**/*.${pick(ENDINGS)}`] };
  if (sort < 0.6) return { paths: [`${folder}/src/${pick(PARTS)}-*.${pick(ENDINGS)}`], languages: [pick(LANGUAGES)] };
  if (sort < 0.7) return { operations: [`${pick(PARTS)}.deploy.${below(packages)}`] };
  if (sort < 0.8) return { paths: [`${folder}/**`], operations: ['db.migrate'], languages: ['sql'] };
  if (sort < 0.9) return { code_patterns: [`\\b${pick(PARTS)}Client${below(packages)}\\.(?:get|post)\\(`] };
  return { languages: [pick(LANGUAGES)], project_attributes: { team: [`team-${below(packages)}`] } };
};

const rulesOf = (count) => {
  const packages = Math.max(10, count / 5);
  const rules = Array.from({ length: count }, (_, number) => ({ id: `r${number}`, triggers: triggersOf(packages) }));
  rules[0] = { id: 'always', triggers: {}, always: true };
  rules[1] = { id: 'typescript', triggers: { paths: ['**/*.ts'] } };
  return rules;
};

const changeOf = (count) => {
  const packages = Math.max(10, count / 5);
  const file = () =>
    `packages/p${below(packages)}/src/${pick(PARTS)}-${below(packages)}/${pick(PARTS)}.${pick(ENDINGS)}`;
  const line = () => `const ${pick(PARTS)} = await ${pick(PARTS)}Client${below(packages)}.get(url); // ${random()}\n`;
  return {
    file_paths: Array.from({ length: 1 + below(5) }, file),
    operations: [pick(['db.migrate', 'test', `${pick(PARTS)}.deploy.${below(packages)}`])],
    code: Array.from({ length: 20 }, line).join(''),
  };
};

const OPTIONS = { projectAttributes: { team: 'team-1', framework: 'next' } };

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

const microseconds = (run) => {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start) / 1_000;
};

const quietest = (rounds) => rounds.reduce((best, round) => (round.p99 < best.p99 ? round : best));

/** Microseconds per query, warm: every query was answered once before. */
const measure = (matcher, changes) => {
  const round = () => {
    const times = changes.map((change) => microseconds(() => matcher.match(change, OPTIONS)));
    times.sort((one, other) => one - other);
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), mean };
  };
  round();
  return quietest(Array.from({ length: ROUNDS }, round));
};

const rows = SIZES.map((count) => {
  const rules = rulesOf(count);
  const changes = Array.from({ length: QUERIES }, () => changeOf(count));
  let index = compileRules(rules);
  const compile = Math.min(...Array.from({ length: ROUNDS }, () => microseconds(() => (index = compileRules(rules)))));
  const again = Math.min(...Array.from({ length: ROUNDS }, () => microseconds(() => compileRules(rules, index))));
  const loop = loopOverRules(rules);
  const same = changes
    .slice(0, 20)
    .every((change) => JSON.stringify(index.match(change, OPTIONS)) === JSON.stringify(loop.match(change, OPTIONS)));
  if (!same) throw new Error('the index and the loop differ');
  const matches = changes.reduce((sum, change) => sum + index.match(change, OPTIONS).matches.length, 0) / QUERIES;
  const fast = measure(index, changes);
  const slow = measure(loop, changes.slice(0, LOOP_QUERIES[count]));
  return { count, compile, again, matches, fast, slow };
});

const [ten] = rows;
for (const { count, compile, again, matches, fast, slow } of rows) {
  console.log(
    [
      `${count} rules`.padStart(12),
      `compiled in ${(compile / 1_000).toFixed(0)} ms, again in ${(again / 1_000).toFixed(0)} ms`,
      `${matches.toFixed(1)} apply`,
      `index p50 ${fast.p50.toFixed(0)} µs, p99 ${fast.p99.toFixed(0)} µs (${(fast.p99 / ten.fast.p99).toFixed(1)} × 10 rules)`,
      `loop p50 ${slow.p50.toFixed(0)} µs, p99 ${slow.p99.toFixed(0)} µs`,
      `loop / index: mean ${(slow.mean / fast.mean).toFixed(1)}, p50 ${(slow.p50 / fast.p50).toFixed(1)}`,
    ].join(' · '),
  );
}
console.log(`heap ${(process.memoryUsage().heapUsed / 1e6).toFixed(0)} MB`);
