import { actorObject } from './actor.js';
import { auditEntryObject } from './audit-entry.js';
import { backlogCommentObject } from './backlog-comment.js';
import { backlogItemObject, listedBacklogItemObject } from './backlog-item.js';
import { briefDecision, briefLoop, briefSession } from './brief.js';
import { buildSessionObject, otherSessionObject } from './build-session.js';
import { commitObject } from './commit.js';
import { credentialObject } from './credential.js';
import { decisionObject, listedDecisionObject } from './decision.js';
import { loopLimitsObject, loopRunObject, loopWorkObject } from './loop.js';
import { memberObject } from './member.js';
import { projectObject } from './project.js';
import { pullRequestObject } from './pull-request.js';
import { applicableRuleObject, listedRuleObject, nearMissObject, ruleObject } from './rule.js';
import { usageTotalsObject } from './usage-totals.js';
import { listedWorkspaceObject, workspaceObject } from './workspace.js';

/** Objects that several answers hold, by name: documents describe each once. One that is missing here is described in place. */
const SHARED_OBJECTS = {
  actor: actorObject,
  workspace: workspaceObject,
  listed_workspace: listedWorkspaceObject,
  project: projectObject,
  build_session: buildSessionObject,
  other_session: otherSessionObject,
  pr: pullRequestObject,
  commit: commitObject,
  usage_totals: usageTotalsObject,
  decision: decisionObject,
  listed_decision: listedDecisionObject,
  backlog_item: backlogItemObject,
  listed_backlog_item: listedBacklogItemObject,
  comment: backlogCommentObject,
  rule: ruleObject,
  listed_rule: listedRuleObject,
  applicable_rule: applicableRuleObject,
  near_miss: nearMissObject,
  run: loopRunObject,
  work: loopWorkObject,
  limits: loopLimitsObject,
  brief_session: briefSession,
  brief_decision: briefDecision,
  brief_loop: briefLoop,
  audit_entry: auditEntryObject,
  credential: credentialObject,
  member: memberObject,
} as const;

const names = new Map<unknown, string>(Object.entries(SHARED_OBJECTS).map(([name, schema]) => [schema, name]));

/** The name of a shared object, for `answerJsonSchema`. */
export const sharedObjectName = (schema: unknown): string | undefined => names.get(schema);
