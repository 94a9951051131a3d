import { catalogue, type OutputOf } from '@perdure/contracts';
import { ACTOR_JSON } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireRule } from './rule-rows.js';

type Revision = OutputOf<typeof catalogue.rules.getRule>['revisions'][number];

export const getRuleHandler = implement(catalogue.rules.getRule, async ({ tx, input }) => ({
  rule: await requireRule(tx, input.rule_id),
  revisions: await tx.rows<Revision>(
    `SELECT v.revision, v.title, v.body_markdown, v.triggers, v.always, v.severity, ${ACTOR_JSON} AS actor,
       perdure_instant(v.revised_at) AS revised_at
     FROM rule_revision v JOIN actor a ON a.workspace_id = v.workspace_id AND a.id = v.actor_id
     WHERE v.workspace_id = $1 AND v.rule_id = $2 ORDER BY v.revision DESC`,
    [tx.workspaceId, input.rule_id],
  ),
}));
