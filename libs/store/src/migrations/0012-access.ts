import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTable } from './tenant-table.js';
import { WORKSPACE_PURGE } from './workspace-purge.js';

/** Members and their sign-in links, rotation of credentials, state and quota of workspaces (I2, I4). */
export class Access1764500000012 implements MigrationInterface {
  readonly name = 'Access1764500000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MEMBERS);
    await runner.query(CREDENTIALS);
    await runner.query(WORKSPACES);
    await runner.query(PROTECTION);
    await runner.query(FIRST_OWNERS);
    await runner.query(STAMPS);
    await runner.query(WORKSPACE_PURGE);
    await runner.query(LOOK_UPS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

/** A person is a member per workspace: nothing about people stands outside a tenant. */
const MEMBERS = `
  CREATE TABLE member (
    workspace_id ulid NOT NULL,
    id ulid NOT NULL,
    actor_id ulid NOT NULL,
    -- Null: the first owner, of whom nobody has said it.
    email text CHECK (email <> ''),
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    status text NOT NULL CHECK (status IN ('invited', 'active', 'removed')),
    invited_at timestamptz(3) NOT NULL,
    joined_at timestamptz(3),
    removed_at timestamptz(3),
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, actor_id) REFERENCES actor,
    CHECK (status <> 'active' OR joined_at IS NOT NULL),
    CHECK ((status = 'removed') = (removed_at IS NOT NULL))
  );
  CREATE UNIQUE INDEX member_email ON member (workspace_id, lower(email)) WHERE status <> 'removed';
  CREATE UNIQUE INDEX member_actor ON member (workspace_id, actor_id) WHERE status <> 'removed';

  CREATE TABLE sign_in_link (
    workspace_id ulid NOT NULL,
    id ulid NOT NULL,
    member_id ulid NOT NULL,
    purpose text NOT NULL CHECK (purpose IN ('invitation', 'sign_in')),
    secret_digest bytea NOT NULL CHECK (length(secret_digest) = 32),
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (id),
    FOREIGN KEY (workspace_id, member_id) REFERENCES member
  );
  CREATE INDEX sign_in_link_member ON sign_in_link (workspace_id, member_id) WHERE used_at IS NULL;
`;

/** The secret before the last rotation stays valid until its overlap ends. `member_id`: the person for whom it stands. */
const CREDENTIALS = `
  ALTER TABLE credential
    ADD COLUMN member_id ulid,
    ADD COLUMN rotated_at timestamptz(3),
    ADD COLUMN previous_secret_digest bytea CHECK (length(previous_secret_digest) = 32),
    ADD COLUMN previous_expires_at timestamptz(3),
    ADD FOREIGN KEY (workspace_id, member_id) REFERENCES member,
    ADD CHECK ((previous_secret_digest IS NULL) = (previous_expires_at IS NULL));
`;

/** The owners of workspaces that are there already; their credentials stand for them from now on. */
const FIRST_OWNERS = `
  INSERT INTO member (workspace_id, id, actor_id, role, status, invited_at, joined_at)
    SELECT workspace_id, id, id, 'owner', 'active', created_at, created_at
    FROM actor WHERE name = 'owner' AND kind = 'person';
  UPDATE credential c SET member_id = m.id
    FROM member m WHERE m.workspace_id = c.workspace_id AND m.actor_id = c.actor_id;
`;

/** A quota that is null is none. `stored_bytes`: as measured last, plus what was written since. */
const WORKSPACES = `
  ALTER TABLE workspace DROP CONSTRAINT workspace_status_check;
  ALTER TABLE workspace
    ADD CONSTRAINT workspace_status_check CHECK (status IN ('active', 'suspended', 'deletion_scheduled')),
    ADD COLUMN delete_after timestamptz(3),
    ADD COLUMN quota_requests_per_minute int CHECK (quota_requests_per_minute >= 0),
    ADD COLUMN quota_stored_bytes bigint CHECK (quota_stored_bytes >= 0),
    ADD COLUMN quota_build_sessions int CHECK (quota_build_sessions >= 0),
    ADD COLUMN quota_usage_reports_per_day int CHECK (quota_usage_reports_per_day >= 0),
    ADD COLUMN stored_bytes bigint,
    ADD COLUMN stored_bytes_measured_at timestamptz(3),
    ADD CHECK ((status = 'deletion_scheduled') = (delete_after IS NOT NULL));

  -- What the rows of the transaction's workspace take, in every table that the caller may read; long texts compressed.
  CREATE FUNCTION perdure_stored_bytes() RETURNS bigint LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
  DECLARE
    tenant text := nullif(current_setting('perdure.workspace_id', true), '');
    tenant_table regclass;
    bytes bigint;
    total bigint := 0;
  BEGIN
    FOR tenant_table IN
      SELECT a.attrelid::regclass FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'workspace_id'
        AND NOT a.attisdropped AND has_table_privilege(c.oid, 'SELECT')
    LOOP
      EXECUTE format('SELECT sum(pg_column_size(t)) FROM %s t WHERE workspace_id = $1', tenant_table) INTO bytes USING tenant;
      total := total + coalesce(bytes, 0);
    END LOOP;
    RETURN total;
  END $$;
`;

const PROTECTION = [
  protectTenantTable({ name: 'member', app: ['SELECT', 'INSERT', 'UPDATE'] }),
  protectTenantTable({ name: 'sign_in_link', app: ['SELECT', 'INSERT', 'UPDATE'] }),
].join('\n');

interface Stamped {
  readonly table: string;
  /** A column that changes by the minute and says nothing about who may do what: its changes are not stamped. */
  readonly except?: string;
}

/** Which transaction changed a row last: what a process has cached is compared with it (see perdure_access_changes). */
const stampTable = ({ table, except }: Stamped) => `
  ALTER TABLE ${table} ADD COLUMN changed_in xid8 NOT NULL DEFAULT pg_current_xact_id();
  CREATE INDEX ${table}_changed ON ${table} (changed_in);
  CREATE TRIGGER zz_${table}_changed BEFORE UPDATE ON ${table} FOR EACH ROW
  ${except === undefined ? '' : `WHEN (OLD.${except} IS NOT DISTINCT FROM NEW.${except})`}
  EXECUTE FUNCTION perdure_stamp_change();
`;

const STAMPS = [
  stampTable({ table: 'credential', except: 'last_used_at' }),
  stampTable({ table: 'member' }),
  stampTable({ table: 'workspace', except: 'stored_bytes' }),
].join('\n');

/** Hands a function to the role that sees across workspaces, and lets only the application call it. */
const lookUp = (signature: string) => `
  ALTER FUNCTION ${signature} OWNER TO perdure_auth;
  REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${signature} TO perdure_app;
`;

/** The questions that are asked before a tenant is known, and those of the platform. */
const LOOK_UPS = `
  GRANT SELECT ON member, sign_in_link TO perdure_auth;
  GRANT UPDATE (last_used_at) ON credential TO perdure_auth;
  CREATE POLICY auth ON member FOR SELECT TO perdure_auth USING (true);
  CREATE POLICY auth ON sign_in_link FOR SELECT TO perdure_auth USING (true);
  CREATE POLICY auth_last_used ON credential FOR UPDATE TO perdure_auth USING (true);

  DROP FUNCTION perdure_credential(text);
  CREATE FUNCTION perdure_credential(credential_id text)
  RETURNS TABLE (workspace_id text, actor_id text, actor_name text, actor_kind text, scopes text[], secret_digest bytea,
                 previous_secret_digest bytea, previous_expires_at timestamptz, expires_at timestamptz,
                 revoked_at timestamptz, member_id text, member_role text, member_status text, requests_per_minute int)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT c.workspace_id, a.id, a.name, a.kind, c.scopes, c.secret_digest,
      c.previous_secret_digest, c.previous_expires_at, c.expires_at,
      c.revoked_at, m.id, m.role, m.status, w.quota_requests_per_minute
    FROM credential c
    JOIN workspace w ON w.workspace_id = c.workspace_id
    JOIN actor a ON a.workspace_id = c.workspace_id AND a.id = c.actor_id
    LEFT JOIN member m ON m.workspace_id = c.workspace_id AND m.id = c.member_id
    WHERE c.id = credential_id
  $$;
  ${lookUp('perdure_credential(text)')}

  CREATE FUNCTION perdure_sign_in_link(link_id text)
  RETURNS TABLE (workspace_id text, member_id text, purpose text, secret_digest bytea, expires_at timestamptz,
                 used_at timestamptz, member_status text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT l.workspace_id, m.id, l.purpose, l.secret_digest, l.expires_at, l.used_at, m.status
    FROM sign_in_link l JOIN member m ON m.workspace_id = l.workspace_id AND m.id = l.member_id
    WHERE l.id = link_id
  $$;
  ${lookUp('perdure_sign_in_link(text)')}

  -- What changed about access since a snapshot, and the snapshot of this answer. A transaction that was under way then
  -- has a number at or above its xmin, so nothing that commits late is missed; some of it may be named twice.
  CREATE FUNCTION perdure_access_changes(since text)
  RETURNS TABLE (seen text, credentials text[], members text[], workspaces text[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text,
      array(SELECT id::text FROM credential WHERE changed_in >= since::xid8),
      array(SELECT id::text FROM member WHERE changed_in >= since::xid8),
      array(SELECT workspace_id::text FROM workspace WHERE changed_in >= since::xid8
            UNION ALL SELECT workspace_id::text FROM workspace_tombstone WHERE changed_in >= since::xid8)
  $$;
  ${lookUp('perdure_access_changes(text)')}

  -- Last uses of many credentials of many workspaces in one statement; an older one never takes the place of a newer.
  CREATE FUNCTION perdure_touch_credentials(ids text[], used_at timestamptz[]) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE credential c SET last_used_at = u.at
    FROM unnest(ids, used_at) AS u (id, at)
    WHERE c.id = u.id AND (c.last_used_at IS NULL OR c.last_used_at < u.at)
  $$;
  ${lookUp('perdure_touch_credentials(text[], timestamptz[])')}

  -- Every workspace of tenants, for a transaction of the installation's own workspace; for any other, none.
  CREATE FUNCTION perdure_workspaces() RETURNS SETOF workspace
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT * FROM workspace w WHERE w.kind = 'tenant' AND EXISTS (
      SELECT 1 FROM workspace i
      WHERE i.kind = 'installation' AND i.workspace_id = nullif(current_setting('perdure.workspace_id', true), ''))
  $$;
  ${lookUp('perdure_workspaces()')}
`;
