import { protectTenantTable } from './tenant-table.js';

/** Hands a function to the role that append-only triggers let through, and lets only the audit writer call it. */
const purgeFunction = (signature: string) => `
  ALTER FUNCTION ${signature} OWNER TO perdure_purge;
  REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${signature} TO perdure_writer;
`;

/**
 * Deleting a workspace past its grace (docs/adr/0015). The writer asks for it and cannot do it: three functions of the
 * purge role say what is due, close a workspace and delete it, and look for themselves whether it is due.
 */
export const WORKSPACE_PURGE = `
  CREATE INDEX workspace_due ON workspace (delete_after) WHERE status = 'deletion_scheduled';
  GRANT INSERT ON audit_event, audit_payload, audit_pending, transition TO perdure_purge;

  -- What processes have cached of a workspace they drop when it changes; a row that is gone does not show a change.
  CREATE TABLE workspace_tombstone (
    workspace_id ulid PRIMARY KEY,
    changed_in xid8 NOT NULL DEFAULT pg_current_xact_id()
  );
  ${protectTenantTable({ name: 'workspace_tombstone', app: ['SELECT'] })}
  GRANT INSERT ON workspace_tombstone TO perdure_purge;
  GRANT SELECT ON workspace_tombstone TO perdure_auth;
  CREATE POLICY auth ON workspace_tombstone FOR SELECT TO perdure_auth USING (true);
  CREATE INDEX workspace_tombstone_changed ON workspace_tombstone (changed_in);

  CREATE FUNCTION perdure_due_deletions() RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT workspace_id FROM workspace
    WHERE status = 'deletion_scheduled' AND delete_after <= clock_timestamp() ORDER BY delete_after
  $$;
  ${purgeFunction('perdure_due_deletions()')}

  -- Holds the workspace until the commit: rows that others were about to write for it wait and then have no workspace.
  -- No row when it is not due, or when somebody still writes; 'unlinked' events are still to come into its chain.
  CREATE FUNCTION perdure_close_workspace(doomed text)
  RETURNS TABLE (slug text, installation text, scheduled_by text, size bigint, head_hash bytea, unlinked bigint)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  BEGIN
    PERFORM FROM workspace w
      WHERE w.workspace_id = doomed AND w.status = 'deletion_scheduled' AND w.delete_after <= clock_timestamp()
      FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN; END IF;
    -- A statement of its own: it sees what was committed until the lock was had.
    RETURN QUERY
      SELECT w.slug, i.workspace_id::text,
        (SELECT e.actor_ref FROM audit_event e WHERE e.workspace_id = i.workspace_id AND e.subject_id = doomed
           AND e.type = 'workspace.deletion_scheduled' ORDER BY e.event_id DESC LIMIT 1),
        coalesce(h.size, 0), h.head_hash,
        (SELECT count(*) FROM audit_pending p WHERE p.workspace_id = doomed)
      FROM workspace w JOIN workspace i ON i.kind = 'installation'
      LEFT JOIN audit_head h ON h.workspace_id = w.workspace_id
      WHERE w.workspace_id = doomed;
  END $$;
  ${purgeFunction('perdure_close_workspace(text)')}

  -- Deletes every row of a due workspace, children first, and records that on the chain of the installation. Only an
  -- event of this one kind can be written with it, and only together with the deletion.
  CREATE FUNCTION perdure_purge_workspace(doomed text, new_event_id text, deleted_at text, scheduled_by text,
    new_payload_digest bytea, new_event_digest bytea, new_salt bytea, new_payload text) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    installation text;
    tenant_table regclass;
  BEGIN
    PERFORM FROM workspace w
      WHERE w.workspace_id = doomed AND w.status = 'deletion_scheduled' AND w.delete_after <= clock_timestamp();
    IF NOT FOUND THEN RAISE EXCEPTION 'workspace % is not due for deletion', doomed; END IF;
    SELECT w.workspace_id INTO STRICT installation FROM workspace w WHERE w.kind = 'installation';
    FOR tenant_table IN
      WITH RECURSIVE tenant AS (
        SELECT c.oid FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
          AND a.attname = 'workspace_id' AND NOT a.attisdropped
      ), reference AS (
        SELECT DISTINCT conrelid AS child, confrelid AS parent FROM pg_constraint
        WHERE contype = 'f' AND conrelid <> confrelid
      ), placed AS (
        SELECT oid, 0 AS depth FROM tenant
        UNION
        SELECT r.child, p.depth + 1 FROM placed p JOIN reference r ON r.parent = p.oid WHERE p.depth < 50
      )
      SELECT oid::regclass FROM placed JOIN tenant USING (oid) GROUP BY oid ORDER BY max(depth) DESC
    LOOP
      EXECUTE format('DELETE FROM %s WHERE workspace_id = $1', tenant_table) USING doomed;
    END LOOP;
    INSERT INTO workspace_tombstone (workspace_id) VALUES (doomed);
    INSERT INTO audit_event (workspace_id, event_id, v, type, at, actor_ref, subject_type, subject_id, payload_digest,
      event_digest)
    VALUES (installation, new_event_id, 1, 'workspace.deleted', deleted_at, scheduled_by, 'workspace', doomed,
      new_payload_digest, new_event_digest);
    INSERT INTO audit_payload (workspace_id, event_id, salt, payload)
    VALUES (installation, new_event_id, new_salt, new_payload);
    INSERT INTO transition (workspace_id, audit_event_id, subject_type, subject_id, type, actor_id, at)
    VALUES (installation, new_event_id, 'workspace', doomed, 'workspace.deleted', scheduled_by, deleted_at::timestamptz);
    INSERT INTO audit_pending (workspace_id, event_id) VALUES (installation, new_event_id);
  END $$;
  ${purgeFunction('perdure_purge_workspace(text, text, text, text, bytea, bytea, bytea, text)')}
`;
