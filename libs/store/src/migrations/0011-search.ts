import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SEARCHED_TEXT } from '../repositories/text-search.js';

/** Indexes of the searches: words without a language, and trigrams for what is no word (identifiers, paths, keys, CJK). */
export class Search1764500000011 implements MigrationInterface {
  readonly name = 'Search1764500000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    for (const [table, text] of Object.entries(SEARCHED_TEXT)) {
      const document = text('');
      await runner.query(`CREATE INDEX ${table}_words ON ${table} USING gin (to_tsvector('simple', ${document}))`);
      await runner.query(`CREATE INDEX ${table}_trigrams ON ${table} USING gin (lower(${document}) gin_trgm_ops)`);
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
