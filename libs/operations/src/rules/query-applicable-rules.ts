import {
  type ApplicableRuleObject,
  catalogue,
  type InputOf,
  type NearMissObject,
  type RuleObject,
} from '@perdure/contracts';
import { type Matched, type MatchAnswer, validateChange } from '@perdure/rule-match';
import type { Transaction } from '@perdure/store';
import { type HandlerContext, implement } from '../dispatcher/implement.js';
import { requireProject } from '../projects/find-project.js';
import { requireBuildSession } from '../sessions/find-build-session.js';
import { refuseProblems } from './check-triggers.js';
import { type CompiledRules, compiledRules } from './compiled-rules.js';
import { alreadyDelivered, rememberDelivered } from './deliveries.js';
import { matchInTurns } from './match-in-turns.js';

type Context = HandlerContext<InputOf<typeof catalogue.rules.queryApplicableRules>>;

export const queryApplicableRulesHandler = implement(catalogue.rules.queryApplicableRules, async (context) => {
  const { tx, input } = context;
  const { project: reference, build_session_id: sessionId, explain = false, full: _full, ...change } = input;
  refuseProblems(validateChange(change));
  const session = sessionId === undefined ? undefined : await requireBuildSession(tx, sessionId);
  const project = await projectOf(tx, reference ?? session?.project_id);
  const compiled = await compiledRules(tx);
  const options = { explain, projectAttributes: project?.attributes ?? {} };
  const answer = await matchInTurns(compiled.matcher, change, options);
  const rules = await tell(context, applicable(compiled, answer, project?.id));
  return explain ? { rules, near_misses: nearMisses(compiled, answer, project?.id) } : { rules };
});

const projectOf = (tx: Transaction, reference: string | undefined) =>
  reference === undefined ? Promise.resolve(undefined) : requireProject(tx, reference);

interface Applicable {
  readonly rule: RuleObject;
  readonly matched: Matched;
}

/** Rules of the whole workspace, and of the project the change is in. */
const concerns = (rule: RuleObject | undefined, projectId: string | undefined): rule is RuleObject =>
  rule !== undefined && (rule.project_id === null || rule.project_id === projectId);

function applicable({ rules }: CompiledRules, { matches }: MatchAnswer, projectId: string | undefined): Applicable[] {
  return matches.flatMap(({ ruleId, matched }) => {
    const rule = rules.get(ruleId);
    return concerns(rule, projectId) ? [{ rule, matched }] : [];
  });
}

function nearMisses({ rules }: CompiledRules, answer: MatchAnswer, projectId: string | undefined): NearMissObject[] {
  return answer.nearMisses.flatMap(({ ruleId, matched, failed }) => {
    const rule = rules.get(ruleId);
    return concerns(rule, projectId) ? [{ id: rule.id, title: rule.title, matched: ownCopy(matched), failed }] : [];
  });
}

/** R6: what the session was told already comes in short form, so that its text is not paid for twice. */
async function tell({ tx, input, now }: Context, found: readonly Applicable[]): Promise<ApplicableRuleObject[]> {
  const { build_session_id: sessionId, full = false } = input;
  const rules = found.map(({ rule }) => rule);
  const seen = sessionId === undefined ? new Set<string>() : await alreadyDelivered(tx, sessionId, rules);
  const fresh = rules.filter((rule) => !seen.has(rule.id));
  if (sessionId !== undefined) await rememberDelivered(tx, sessionId, fresh, now);
  return found.map(({ rule, matched }) => {
    const seenInSession = seen.has(rule.id);
    if (seenInSession && !full) return { id: rule.id, title: rule.title, seen_in_session: true };
    const { id, title, severity, revision, body_markdown } = rule;
    return { id, title, severity, revision, body_markdown, matched: ownCopy(matched), seen_in_session: seenInSession };
  });
}

/** The matcher's lists are its own; an answer is the caller's. */
function ownCopy({ paths, operations, languages, code_patterns, project_attributes, always }: Matched) {
  return {
    ...(paths && { paths: [...paths] }),
    ...(operations && { operations: [...operations] }),
    ...(languages && { languages: [...languages] }),
    ...(code_patterns && { code_patterns: [...code_patterns] }),
    ...(project_attributes && { project_attributes: [...project_attributes] }),
    ...(always && { always }),
  };
}
