import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * No statistics of the kind: with them, in a log of few kinds, the planner expects any entry to be of the kind asked for
 * and reads the log from its newest end, the whole of it when that kind is rare. Without, it takes `decision_of_kind`.
 */
export class DecisionKinds1764500000019 implements MigrationInterface {
  readonly name = 'DecisionKinds1764500000019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE decision ALTER COLUMN kind SET STATISTICS 0');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
