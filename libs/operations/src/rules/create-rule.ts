import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { requireProject } from '../projects/find-project.js';
import { refuseBadTriggers } from './check-triggers.js';
import { requireRule } from './rule-rows.js';
import { insertRule } from './write-rule.js';

export const createRuleHandler = implement(
  catalogue.rules.createRule,
  async ({ tx, caller, input, now, newId, audit }) => {
    const project = input.project === undefined ? null : await requireProject(tx, input.project);
    const { title, body_markdown, triggers, always = false, severity = 'info' } = input;
    refuseBadTriggers(triggers, always);
    const id = newId();
    const payload = { project_id: project?.id ?? null, title, severity, always, revision: 1 };
    const eventId = audit({ type: 'rule.created', subjectId: id, payload });
    await insertRule(tx, {
      id,
      text: { title, body_markdown, triggers, always, severity },
      projectId: project?.id ?? null,
      sourceKey: null,
      actorId: caller.actor.id,
      eventId,
      now,
    });
    return { rule: await requireRule(tx, id) };
  },
);
