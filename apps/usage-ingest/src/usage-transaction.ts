import { createHash } from 'node:crypto';
import type { SqlValue, UsageTransaction } from '@perdure/store';
import type { PoolClient } from 'pg';

/** The rules of usage have a dozen constant texts. */
const names = new Map<string, string>();

/** Statements are kept under a name: planning the largest takes as long as applying a hundred reports with it. */
function nameOf(sql: string): string {
  const name = names.get(sql) ?? `usage_${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`;
  names.set(sql, name);
  return name;
}

/** Statements of the protocol have no plan. */
const isControl = (sql: string): boolean => /^(SAVEPOINT|RELEASE|ROLLBACK)/.test(sql);

/** The rules of usage are told to a connection of the pool as they are to an operation's transaction. */
export function usageTransaction(
  client: PoolClient,
  workspaceId: string,
  { preparedStatements }: { preparedStatements: boolean } = { preparedStatements: true },
): UsageTransaction {
  const query = (text: string, values: readonly SqlValue[] = []) =>
    isControl(text) || !preparedStatements
      ? client.query(text, [...values])
      : client.query({ name: nameOf(text), text, values: [...values] });
  return {
    workspaceId,
    rows: async <Row>(sql: string, parameters?: readonly SqlValue[]) => (await query(sql, parameters)).rows as Row[], // the caller names the shape of the statement it wrote
    run: async (sql, parameters) => (await query(sql, parameters)).rowCount ?? 0,
  };
}
