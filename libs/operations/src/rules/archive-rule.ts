import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { requireRule } from './rule-rows.js';
import { moveRuleSet } from './write-rule.js';

export const archiveRuleHandler = implement(catalogue.rules.archiveRule, async ({ tx, input, audit }) => {
  const { id } = await requireRule(tx, input.rule_id);
  const archived = await tx.run(
    `UPDATE rule SET status = 'archived' WHERE workspace_id = $1 AND id = $2 AND status = 'active'`,
    [tx.workspaceId, id],
  );
  if (archived > 0) {
    await moveRuleSet(tx);
    audit({ type: 'rule.archived', subjectId: id, payload: { reason: input.reason } });
  }
  return { rule: await requireRule(tx, id) };
});
