import { catalogue } from '@perdure/contracts';
import { compileRules, loopOverRules, type Change, type MatchableRule, type RuleMatcher } from '@perdure/rule-match';
import type { BenchContext } from './context.js';
import { openInstallation, type Installation } from './installation.js';
import { rateFigure, ratesOf, type Figure, type Measurement } from './report.js';
import { closedLoop, compare, summaryOf, type Contestant, type Sample } from './rounds.js';
import { rounded } from './statistics.js';

const SIZES = [10, 1_000, 10_000];
/** Of these the change of the bench meets so many, however many there are: answers of one size. */
const MATCHING = 5;
const LEAST_OF_LOOP = 20;
/** p99 with the most rules by p99 with the fewest. */
const MOST_OF_FEWEST = 5;
const CREATORS = 8;

/** What an agent asks before it writes: two files, the operation, the first lines of the new code. */
const CHANGE: Change = {
  file_paths: ['libs/store/src/transaction.ts', 'docs/adr/0042-locks.md'],
  operations: ['edit'],
  code: "import { withLock } from './lock.js';\nexport async function update(id: string) {\n  return withLock(id, () => 1);\n}\n",
};

/** Mostly other people's folders, as in a large monorepo; one rule in ten by language and operation, one by code. */
function ruleTriggers(index: number): MatchableRule['triggers'] {
  if (index < MATCHING) return { paths: ['libs/**/*.ts'], operations: ['edit'] };
  if (index % 10 === 0) return { languages: ['Rust'], operations: [`deploy-${index}`] };
  if (index % 10 === 1) return { paths: ['**/*.py'], code_patterns: [`legacy_call_${index}\\(`] };
  return {
    paths: [
      `packages/team-${index % 400}/service-${index}/**/*.{ts,tsx}`,
      `!packages/team-${index % 400}/**/*.spec.ts`,
    ],
  };
}

const rulesOf = (count: number): MatchableRule[] =>
  Array.from({ length: count }, (_, index) => ({ id: `rule-${index}`, triggers: ruleTriggers(index) }));

/** query_applicable_rules: matching by index against the naive loop, and the whole operation with many rules against few. */
export async function measureRuleQuery(context: BenchContext): Promise<Measurement> {
  const sizes = SIZES.map((size) => (size > 10 ? Math.max(20, Math.round(size * context.size)) : size));
  const figures: Figure[] = [];
  for (const size of sizes) {
    const rules = rulesOf(size);
    const comparison = await compare(matching(compileRules(rules)), matching(loopOverRules(rules)), context.plan);
    const least = size === sizes.at(-1) ? LEAST_OF_LOOP : undefined;
    figures.push(rateFigure(`match, ${size} rules : naive loop`, 'queries/s', comparison, least));
  }
  figures.push(...(await wholeOperation(context, sizes)));
  return {
    name: 'rule-query',
    title: 'query_applicable_rules',
    method: [
      `Match: the compiled index against a loop over every rule with the same compiled matchers; ${MATCHING} rules match, two files, an operation and four lines of code.`,
      'Whole operation: through the dispatcher in this process, one caller, Postgres for project and rule set version; the ratio is of the p99.',
    ],
    figures,
  };
}

const matching =
  (matcher: RuleMatcher): Contestant =>
  (ms) =>
    closedLoop(1, ms, async () => {
      if (matcher.match(CHANGE).matches.length !== MATCHING) throw new Error('other rules match than the bench made');
    });

async function wholeOperation({ cluster, plan }: BenchContext, sizes: readonly number[]): Promise<Figure[]> {
  const database = await cluster.createDatabase('bench_rules');
  const installation = await openInstallation(database, { poolSize: CREATORS });
  const queries: Contestant[] = [];
  for (const size of sizes) queries.push(await workspaceWith(installation, size));
  const samples: Sample[][] = queries.map(() => []);
  for (const query of queries) await query(plan.slotMs / 3);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [index, query] of queries.entries()) samples[index]?.push(await query(plan.slotMs));
  }
  await installation.close();
  const [fewest, ...more] = samples.map(summaryOf);
  if (fewest === undefined) throw new Error('there are no sizes');
  return more.map((summary, index) => {
    const ratio = summary.p99Ms / fewest.p99Ms;
    return {
      name: `operation, ${sizes[index + 1]} rules : ${sizes[0]}, p99`,
      unit: 'queries/s',
      ours: ratesOf(summary),
      ceiling: ratesOf(fewest),
      ratio: rounded(ratio),
      target: { text: `< ${MOST_OF_FEWEST}`, met: ratio < MOST_OF_FEWEST },
    };
  });
}

async function workspaceWith(installation: Installation, size: number): Promise<Contestant> {
  const { owner, projectId } = await installation.workspace();
  const rules = rulesOf(size);
  let next = 0;
  const create = async () => {
    for (let rule = rules[next++]; rule !== undefined; rule = rules[next++]) {
      const { paths, operations, languages, code_patterns } = rule.triggers;
      await installation.call(catalogue.rules.createRule, owner, {
        title: rule.id,
        body_markdown: 'Take the lock before you read.',
        triggers: {
          ...(paths && { paths: [...paths] }),
          ...(operations && { operations: [...operations] }),
          ...(languages && { languages: [...languages] }),
          ...(code_patterns && { code_patterns: [...code_patterns] }),
        },
      });
    }
  };
  await Promise.all(Array.from({ length: CREATORS }, create));
  return (ms) =>
    closedLoop(1, ms, async () => {
      const { file_paths, operations, code } = CHANGE;
      const { rules: told } = await installation.call(catalogue.rules.queryApplicableRules, owner, {
        project: projectId,
        file_paths: [...(file_paths ?? [])],
        operations: [...(operations ?? [])],
        code: code ?? '',
      });
      if (told.length !== MATCHING) throw new Error('other rules were told than the bench made');
    });
}
