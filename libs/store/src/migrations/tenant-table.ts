/** The condition of every tenant policy; unset or empty means no rows (DESIGN §5). */
const TENANT = `workspace_id = nullif(current_setting('perdure.workspace_id', true), '')`;

type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

interface TenantTable {
  readonly name: string;
  /** What the application role may do, within its workspace. */
  readonly app: readonly Privilege[];
  /** Grants to other roles; with a true-policy for the roles that work across workspaces. */
  readonly others?: readonly { role: string; may: readonly Privilege[]; everyWorkspace: boolean }[];
  /** UPDATE, DELETE and TRUNCATE are refused by trigger for everybody but the purge role. */
  readonly appendOnly?: boolean;
}

/** Statements that put a table under forced row-level security, with its grants and, where asked, its append-only guards. */
export function protectTenantTable({ name, app, others = [], appendOnly = false }: TenantTable): string {
  const statements = [
    `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`,
    `CREATE POLICY tenant ON ${name} USING (${TENANT}) WITH CHECK (${TENANT})`,
    // FORCE binds the owner too; migrations and backfills need their own way in.
    `CREATE POLICY owner ON ${name} TO perdure_owner USING (true) WITH CHECK (true)`,
    `CREATE POLICY purge ON ${name} TO perdure_purge USING (true) WITH CHECK (true)`,
    `GRANT ${app.join(', ')} ON ${name} TO perdure_app`,
    `GRANT SELECT, UPDATE, DELETE ON ${name} TO perdure_purge`,
    // Statistics that do not know a workspace yet promise one row of it, and a join of two such tables is then planned
    // to compare every pair: 6,400 fresh events took a verification over 15 s. Without statistics on this column a
    // workspace counts as one of 200.
    `ALTER TABLE ${name} ALTER COLUMN workspace_id SET STATISTICS 0`,
  ];
  for (const { role, may, everyWorkspace } of others) {
    statements.push(`GRANT ${may.join(', ')} ON ${name} TO ${role}`);
    if (everyWorkspace) statements.push(`CREATE POLICY ${role} ON ${name} TO ${role} USING (true) WITH CHECK (true)`);
  }
  if (appendOnly) statements.push(...appendOnlyGuards(name));
  return `${statements.join(';\n')};`;
}

/**
 * ALWAYS: plain triggers are skipped under `session_replication_role = replica`. A statement trigger for TRUNCATE:
 * row triggers let it through.
 */
function appendOnlyGuards(name: string): string[] {
  return [
    `CREATE TRIGGER ${name}_append_only BEFORE UPDATE OR DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION perdure_refuse_change()`,
    `CREATE TRIGGER ${name}_no_truncate BEFORE TRUNCATE ON ${name} FOR EACH STATEMENT EXECUTE FUNCTION perdure_refuse_change()`,
    `ALTER TABLE ${name} ENABLE ALWAYS TRIGGER ${name}_append_only`,
    `ALTER TABLE ${name} ENABLE ALWAYS TRIGGER ${name}_no_truncate`,
  ];
}
