import type { DataSource } from 'typeorm';
import { translatePostgresError } from './postgres-errors.js';
import type { SqlValue } from './transaction.js';

/**
 * Rows of one call of a function that answers before a tenant is known (DESIGN §5).
 *
 * @throws DomainError `unavailable`
 */
export async function lookUp<Row>(
  dataSource: DataSource,
  sql: string,
  parameters: readonly SqlValue[],
): Promise<Row[]> {
  try {
    return await dataSource.query<Row[]>(sql, [...parameters]); // the caller names the shape of the function it calls
  } catch (error) {
    throw translatePostgresError(error);
  }
}
