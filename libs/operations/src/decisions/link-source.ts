import { type DecisionObject, DomainError } from '@perdure/contracts';
import type { HandlerContext } from '../dispatcher/implement.js';
import { requireDecision } from './find-decision.js';

interface Link {
  readonly decisionId: string;
  /** One of the two columns that the append-only trigger lets through (D3). */
  readonly column: 'build_session_id' | 'backlog_item_id';
  readonly table: 'build_session' | 'backlog_item';
  readonly targetId: string;
}

/** Sets a source link of a decision; one that is there already is left as it is and not audited. */
export async function linkSource(
  { tx, audit }: Pick<HandlerContext<unknown>, 'tx' | 'audit'>,
  { decisionId, column, table, targetId }: Link,
): Promise<DecisionObject> {
  const decision = await requireDecision(tx, decisionId);
  const target = await tx.first<{ project_id: string }>(
    `SELECT project_id FROM ${table} WHERE workspace_id = $1 AND id = $2`,
    [tx.workspaceId, targetId],
  );
  if (target === undefined)
    throw new DomainError('not_found', `There is no such ${table.replace('_', ' ')} in this workspace.`);
  if (decision[column] === targetId) return decision;
  if (target.project_id !== decision.project_id) {
    const fields = [{ path: column, message: 'belongs to another project than the decision' }];
    throw new DomainError('invalid_input', `Invalid input. ${column}: belongs to another project than the decision`, {
      fields,
    });
  }
  await tx.run(`UPDATE decision SET ${column} = $3 WHERE workspace_id = $1 AND id = $2`, [
    tx.workspaceId,
    decisionId,
    targetId,
  ]);
  audit({
    type: 'decision.source_linked',
    subjectId: decisionId,
    payload: { [column]: targetId, before: decision[column] },
  });
  return requireDecision(tx, decisionId);
}
