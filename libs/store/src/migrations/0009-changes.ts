import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which transaction changed a row last, so that a brief can say what changed since a snapshot (S16). */
export class Changes1764500000009 implements MigrationInterface {
  readonly name = 'Changes1764500000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(STAMP);
    for (const table of STAMPED) await runner.query(stampTable(table));
    await runner.query(IDENTITY);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const STAMPED = ['build_session', 'decision', 'backlog_item', 'loop'];

const STAMP = `
  CREATE FUNCTION perdure_stamp_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    NEW.changed_in := pg_current_xact_id();
    RETURN NEW;
  END $$;
`;

/** A time or an id would miss what commits late; a transaction's number against a snapshot does not. */
const stampTable = (table: string) => `
  ALTER TABLE ${table} ADD COLUMN changed_in xid8 NOT NULL DEFAULT pg_current_xact_id();
  -- Named to run behind the append-only guard, which must see the row as it was written.
  CREATE TRIGGER zz_${table}_changed BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION perdure_stamp_change();
`;

/** Changes with a new cluster, a new database and a point-in-time restore: numbers of transactions then start anew. */
const IDENTITY = `
  CREATE FUNCTION perdure_database_identity() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $$
    SELECT md5(concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
      (SELECT timeline_id FROM pg_control_checkpoint()), (SELECT oid FROM pg_database WHERE datname = current_database())))
  $$;
  GRANT EXECUTE ON FUNCTION perdure_database_identity() TO perdure_app;
`;
