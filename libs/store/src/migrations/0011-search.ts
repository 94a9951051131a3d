import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SEARCHED_TEXT } from '../repositories/text-search.js';

/**
 * Indexes of the searches: trigrams find a term wherever it stands, in a word, an identifier, a path or a text without
 * spaces. They begin with the workspace. Row-level security lets no index answer LIKE, which could tell of foreign rows
 * by how they fail (PostgreSQL documentation, 39.5): functions of a role of its own ask them, for one workspace (ADR 0021).
 */
export class Search1764500000011 implements MigrationInterface {
  readonly name = 'Search1764500000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await runner.query('CREATE EXTENSION IF NOT EXISTS btree_gin');
    for (const [table, document] of Object.entries(SEARCHED_TEXT)) {
      await runner.query(
        `CREATE INDEX ${table}_trigrams ON ${table} USING gin (workspace_id, lower(${document}) gin_trgm_ops)`,
      );
      await runner.query(searchFunction(table, document));
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

/**
 * Ids of the workspace's rows that hold every term, and whether they hold the whole query as it stands (true when none is
 * asked for). Each term is a condition of its own, as the index can answer several of LIKE but none of LIKE ALL; plans are
 * made for the values at hand.
 */
const searchFunction = (table: string, document: string): string => `
  GRANT SELECT ON ${table} TO perdure_search;
  CREATE POLICY search ON ${table} FOR SELECT TO perdure_search USING (true);

  CREATE FUNCTION perdure_search_${table}(terms text[], whole text) RETURNS TABLE (row_id text, as_whole boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 200 AS $$
  DECLARE
    tenant constant text := nullif(current_setting('perdure.workspace_id', true), '');
    conditions text;
  BEGIN
    SELECT string_agg(format($q$lower(${document}) LIKE lower($2[%s])$q$, n), ' AND ')
      INTO conditions FROM generate_subscripts(terms, 1) n;
    IF conditions IS NULL THEN RETURN; END IF;
    RETURN QUERY EXECUTE $q$
      SELECT t.id::text, $3 IS NULL OR lower(${document}) LIKE lower($3) FROM ${table} t
      WHERE t.workspace_id = $1 AND $q$ || conditions USING tenant, terms, whole;
  END $$;
  ALTER FUNCTION perdure_search_${table}(text[], text) OWNER TO perdure_search;
  REVOKE ALL ON FUNCTION perdure_search_${table}(text[], text) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION perdure_search_${table}(text[], text) TO perdure_app;
`;
