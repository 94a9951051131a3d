import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTable } from './tenant-table.js';

/** Domains, guards, workspaces, actors, credentials and their look-up, idempotency records. */
export class Foundations1764500000001 implements MigrationInterface {
  readonly name = 'Foundations1764500000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DOMAINS_AND_GUARDS);
    await runner.query(ACCESS_TABLES);
    await runner.query(PROTECTION);
    await runner.query(CREDENTIAL_LOOKUP);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const DOMAINS_AND_GUARDS = `
  CREATE DOMAIN ulid AS text COLLATE "C" CHECK (VALUE ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$');

  -- An instant as the product shows it: RFC 3339, UTC, three fraction digits.
  CREATE FUNCTION perdure_instant(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS
    $$ SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

  CREATE FUNCTION perdure_refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF current_user = 'perdure_purge' THEN
      RETURN coalesce(NEW, OLD);
    END IF;
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
  END $$;
`;

const ACCESS_TABLES = `
  CREATE TABLE workspace (
    workspace_id ulid PRIMARY KEY,
    kind text NOT NULL DEFAULT 'tenant' CHECK (kind IN ('tenant', 'installation')),
    slug text NOT NULL UNIQUE,
    name text NOT NULL,
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
    created_at timestamptz(3) NOT NULL
  );
  -- The installation is a workspace of its own: platform credentials and the installation chain live in it.
  CREATE UNIQUE INDEX workspace_one_installation ON workspace (kind) WHERE kind = 'installation';

  CREATE TABLE actor (
    workspace_id ulid NOT NULL REFERENCES workspace,
    id ulid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('agent', 'person', 'operator')),
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, name)
  );

  CREATE TABLE credential (
    workspace_id ulid NOT NULL,
    id ulid NOT NULL,
    actor_id ulid NOT NULL,
    scopes text[] NOT NULL,
    secret_digest bytea NOT NULL CHECK (length(secret_digest) = 32),
    prefix text NOT NULL,
    last_four text NOT NULL,
    via text NOT NULL DEFAULT 'issued' CHECK (via IN ('issued', 'mcp_authorization')),
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    revoked_at timestamptz(3),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (id),
    FOREIGN KEY (workspace_id, actor_id) REFERENCES actor
  );

  CREATE TABLE idempotency_record (
    workspace_id ulid NOT NULL REFERENCES workspace,
    actor_id ulid NOT NULL,
    operation text NOT NULL,
    key text NOT NULL,
    input_digest bytea NOT NULL,
    answer text,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, actor_id, operation, key)
  );
  CREATE INDEX idempotency_record_age ON idempotency_record (created_at);
`;

const PROTECTION = [
  protectTenantTable({ name: 'workspace', app: ['SELECT', 'INSERT', 'UPDATE'] }),
  protectTenantTable({ name: 'actor', app: ['SELECT', 'INSERT', 'UPDATE'] }),
  protectTenantTable({ name: 'credential', app: ['SELECT', 'INSERT', 'UPDATE'] }),
  protectTenantTable({ name: 'idempotency_record', app: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] }),
].join('\n');

/** The one question that is asked before a tenant is known: whose credential is this? Owned by a role of its own. */
const CREDENTIAL_LOOKUP = `
  GRANT SELECT ON workspace, actor, credential TO perdure_auth;
  CREATE POLICY auth ON workspace FOR SELECT TO perdure_auth USING (true);
  CREATE POLICY auth ON actor FOR SELECT TO perdure_auth USING (true);
  CREATE POLICY auth ON credential FOR SELECT TO perdure_auth USING (true);

  CREATE FUNCTION perdure_credential(credential_id text)
  RETURNS TABLE (workspace_id text, actor_id text, actor_name text, actor_kind text, scopes text[], secret_digest bytea,
                 expires_at timestamptz, revoked_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT c.workspace_id, a.id, a.name, a.kind, c.scopes, c.secret_digest, c.expires_at, c.revoked_at
    FROM credential c JOIN actor a ON a.workspace_id = c.workspace_id AND a.id = c.actor_id
    WHERE c.id = credential_id
  $$;
  ALTER FUNCTION perdure_credential(text) OWNER TO perdure_auth;
  REVOKE ALL ON FUNCTION perdure_credential(text) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION perdure_credential(text) TO perdure_app;
`;
