import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SEARCHED_TEXT } from '../repositories/text-search.js';

/**
 * Indexes of the searches: words without a language, and trigrams for what is no word (identifiers, paths, keys, CJK).
 * Both begin with the workspace. Row-level security lets no index answer `@@` and LIKE, which could tell of foreign rows
 * by how they fail (PostgreSQL documentation, 39.5): functions of a role of its own ask them, for one workspace (ADR 0021).
 */
export class Search1764500000011 implements MigrationInterface {
  readonly name = 'Search1764500000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await runner.query('CREATE EXTENSION IF NOT EXISTS btree_gin');
    for (const [table, { document, words }] of Object.entries(SEARCHED_TEXT)) {
      await runner.query(`CREATE INDEX ${table}_words ON ${table} USING gin (workspace_id, ${words})`);
      await runner.query(
        `CREATE INDEX ${table}_trigrams ON ${table} USING gin (workspace_id, lower(${document}) gin_trgm_ops)`,
      );
      await runner.query(searchFunction(table, document, words));
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

/**
 * Ids of the workspace's rows that hold the whole query as it stands, and of those that have all its words and phrases;
 * a row may come as both. Two index scans are joined: `OR` over two indexes is one that the planner may not see. Plans are made for the values at hand.
 */
const searchFunction = (table: string, document: string, words: string): string => `
  GRANT SELECT ON ${table} TO perdure_search;
  CREATE POLICY search ON ${table} FOR SELECT TO perdure_search USING (true);

  CREATE FUNCTION perdure_search_${table}(asked_words text, phrases text[], whole text) RETURNS TABLE (row_id text, as_whole boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan ROWS 200
  AS $$
  DECLARE
    tenant constant text := nullif(current_setting('perdure.workspace_id', true), '');
  BEGIN
    whole := lower(whole);
    phrases := ARRAY(SELECT lower(phrase) FROM unnest(phrases) phrase);
    RETURN QUERY SELECT t.id::text, true FROM ${table} t WHERE t.workspace_id = tenant AND lower(${document}) LIKE whole;
    IF asked_words IS NOT NULL THEN
      RETURN QUERY SELECT t.id::text, false FROM ${table} t
        WHERE t.workspace_id = tenant AND ${words} @@ asked_words::tsquery AND lower(${document}) LIKE ALL (phrases);
    ELSIF cardinality(phrases) > 0 THEN
      RETURN QUERY SELECT t.id::text, false FROM ${table} t
        WHERE t.workspace_id = tenant AND lower(${document}) LIKE phrases[1] AND lower(${document}) LIKE ALL (phrases);
    END IF;
  END $$;
  ALTER FUNCTION perdure_search_${table}(text, text[], text) OWNER TO perdure_search;
  REVOKE ALL ON FUNCTION perdure_search_${table}(text, text[], text) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION perdure_search_${table}(text, text[], text) TO perdure_app;
`;
