import { isDeepStrictEqual } from 'node:util';
import { catalogue, DomainError } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { refuseBadTriggers } from './check-triggers.js';
import { requireRule } from './rule-rows.js';
import { reviseRule, type RuleText } from './write-rule.js';

export const reviseRuleHandler = implement(catalogue.rules.reviseRule, async ({ tx, caller, input, now, audit }) => {
  const before = await requireRule(tx, input.rule_id, true);
  if (before.status === 'archived')
    throw new DomainError('conflict', 'An archived rule is not revised.', { rule_id: before.id });
  const text: RuleText = {
    title: input.title ?? before.title,
    body_markdown: input.body_markdown ?? before.body_markdown,
    triggers: input.triggers ?? before.triggers,
    always: input.always ?? before.always,
    severity: input.severity ?? before.severity,
  };
  refuseBadTriggers(text.triggers, text.always);
  const { title, body_markdown, triggers, always, severity } = before;
  if (isDeepStrictEqual(text, { title, body_markdown, triggers, always, severity })) {
    return { rule: before, revision: before.revision };
  }
  const revision = before.revision + 1;
  const payload = { title: text.title, severity: text.severity, always: text.always, revision };
  const eventId = audit({ type: 'rule.revised', subjectId: before.id, payload });
  await reviseRule(tx, { id: before.id, text, actorId: caller.actor.id, eventId, now }, revision);
  return { rule: await requireRule(tx, before.id), revision };
});
