import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compileRules, describeProblem, loopOverRules, validateChange, validateTriggers } from './index.js';
import type { Change, Matched, Triggers, TriggerProblem } from './index.js';

interface Refusal {
  code?: string;
  kind?: string;
  position?: number;
  names?: string;
}

interface RuleCase {
  id: string;
  rule: { triggers: Triggers; always?: boolean };
  project?: { attributes: Record<string, string> };
  change: Omit<Change, 'code'> & { code?: string | { repeat: [string, number] } };
  expect: {
    match?: boolean | null;
    one_of?: string[];
    matched?: Matched;
    near_miss?: string;
    create_error?: Refusal;
    query_error?: Refusal;
    max_ms?: number;
    position_one_of?: number[];
  };
}

interface DecidedCase {
  id: string;
  rule: string[] | Triggers;
  path?: string;
  code?: string;
  decided: boolean | string;
}

const FOLDER = path.join(__dirname, '../../../cases/rules');
const FILES = ['globs', 'operations', 'languages', 'code-patterns', 'attributes', 'dimensions'];

// The files' shape is described in cases/rules/README.md.
const readCases = <Case>(name: string): Case[] =>
  JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as Case[];

const cases = FILES.flatMap((name) => readCases<RuleCase>(name));
const decided = readCases<DecidedCase>('decided');
const named = <Case extends { id: string }>(list: readonly Case[]): [string, Case][] =>
  list.map((one): [string, Case] => [one.id, one]);

const changeOf = ({ change: { code, ...change } }: RuleCase): Change => {
  if (code === undefined) return change;
  return { ...change, code: typeof code === 'string' ? code : code.repeat[0].repeat(code.repeat[1]) };
};

/** What a caller of create_rule and then query_applicable_rules would see. */
const outcomeOf = (one: RuleCase): string => {
  const change = changeOf(one);
  const problems = [...validateTriggers(one.rule.triggers, one.rule.always), ...validateChange(change)];
  if (problems.length > 0) return 'refused:invalid_input';
  return answerOf(one).matches.length > 0 ? 'match' : 'no_match';
};

const answerOf = (one: RuleCase) => {
  const rules = [{ id: 'r', ...one.rule }];
  const options = { explain: true, projectAttributes: one.project?.attributes };
  const answer = compileRules(rules).match(changeOf(one), options);
  expect(loopOverRules(rules).match(changeOf(one), options)).toEqual(answer);
  return answer;
};

const expectRefusal = (problems: readonly TriggerProblem[], { code, position, names }: Refusal, places?: number[]) => {
  const [problem] = problems;
  if (!problem) throw new Error('not refused');
  if (code !== undefined) expect(problem.code).toBe(code);
  if (position !== undefined) expect(places ?? [position]).toContain(problem.position);
  expect(describeProblem(problem)).toContain(names ?? '');
};

describe('R1 R2 R3: the rule cases of the repository', () => {
  const matching = cases.filter(({ expect: { match } }) => typeof match === 'boolean');
  const open = cases.filter(({ expect: { one_of: answers } }) => answers !== undefined);
  const refusedRules = cases.filter(({ expect: { create_error: error } }) => error !== undefined);
  const refusedChanges = cases.filter(({ expect: { query_error: error } }) => error !== undefined);

  it('are all of one of four sorts', () => {
    expect(cases.length).toBe(188);
    expect(matching.length + open.length + refusedRules.length + refusedChanges.length).toBe(cases.length);
  });

  it.each(named(matching))('R1: %s', (_, one) => {
    expect(validateTriggers(one.rule.triggers, one.rule.always)).toEqual([]);
    expect(validateChange(changeOf(one))).toEqual([]);
    const { matches, nearMisses } = answerOf(one);
    expect(matches.length > 0).toBe(one.expect.match);
    if (one.expect.matched) expect(matches[0]?.matched).toEqual(one.expect.matched);
    if (one.expect.near_miss) expect(nearMisses.map(({ failed }) => failed)).toEqual([one.expect.near_miss]);
  });

  it.each(named(open))('R1: %s has one of the sound answers', (_, one) => {
    expect(one.expect.one_of).toContain(outcomeOf(one));
  });

  it.each(named(refusedRules))('R2: %s refuses the rule', (_, one) => {
    const problems = validateTriggers(one.rule.triggers, one.rule.always);
    expectRefusal(problems, one.expect.create_error ?? {}, one.expect.position_one_of);
  });

  it.each(named(refusedChanges))('R1: %s refuses the change', (_, one) => {
    expectRefusal(validateChange(changeOf(one)), one.expect.query_error ?? {});
  });
});

describe('R2: the decided readings', () => {
  const readings = decided.filter((one) => typeof one.decided === 'boolean');
  const refusals = decided.filter((one) => typeof one.decided === 'string');
  const triggersOf = ({ rule }: DecidedCase): Triggers => (Array.isArray(rule) ? { paths: rule } : rule);

  it('are all read here', () => expect(readings.length + refusals.length).toBe(decided.length));

  it.each(named(readings))('R2: %s', (_, one) => {
    const rules = [{ id: 'r', triggers: triggersOf(one) }];
    const change = { ...(one.path ? { file_paths: [one.path] } : {}), ...(one.code ? { code: one.code } : {}) };
    expect(validateTriggers(triggersOf(one))).toEqual([]);
    expect(compileRules(rules).match(change).matches.length > 0).toBe(one.decided);
  });

  it.each(named(refusals))('R2: %s', (_, one) => {
    expect(validateTriggers(triggersOf(one)).map(({ code }) => code)).toEqual(['invalid_glob']);
  });
});
