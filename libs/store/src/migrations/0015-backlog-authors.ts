import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who filed an item stands on the item: what one agent wrote and another reads comes with its author (DESIGN §8). */
export class BacklogAuthors1764500000015 implements MigrationInterface {
  readonly name = 'BacklogAuthors1764500000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE backlog_item ADD COLUMN actor_id ulid;
      UPDATE backlog_item i SET actor_id = t.actor_id FROM transition t
        WHERE t.workspace_id = i.workspace_id AND t.subject_type = 'backlog_item' AND t.subject_id = i.id
          AND t.type = 'backlog_item.filed';
      ALTER TABLE backlog_item ALTER COLUMN actor_id SET NOT NULL,
        ADD FOREIGN KEY (workspace_id, actor_id) REFERENCES actor;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
