import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTable } from './tenant-table.js';

/** What the authorization server keeps, sessions of people who signed in, and who they are elsewhere (I3, I4). */
export class Authorization1764500000013 implements MigrationInterface {
  readonly name = 'Authorization1764500000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(PROTECTION);
    await runner.query(ARTIFACTS);
    await runner.query(ROTATION);
    await runner.query(CLIENTS);
    await runner.query(PEOPLE);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const TABLES = `
  -- Registered by programs before anybody signed in: no tenant, and nothing of one in them.
  CREATE TABLE oauth_client (
    id text COLLATE "C" PRIMARY KEY,
    metadata text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    -- When somebody was last asked to approve it; a client that nobody was ever asked about is swept away.
    used_at timestamptz(3)
  );
  CREATE INDEX oauth_client_age ON oauth_client (created_at);

  -- Codes, tokens, grants and requests under way. Found by the SHA-256 of a value that only its holder has; reached
  -- through the functions below alone. A grant is a credential: what hangs on it ends with it.
  CREATE TABLE oauth_artifact (
    kind text NOT NULL CHECK (kind IN
      ('AccessToken', 'AuthorizationCode', 'ClientCredentials', 'Grant', 'Interaction', 'RefreshToken', 'SignIn')),
    id_digest bytea NOT NULL CHECK (length(id_digest) = 32),
    credential_id ulid REFERENCES credential (id) ON DELETE CASCADE,
    payload text NOT NULL,
    scopes text[],
    audience text,
    expires_at timestamptz(3) NOT NULL,
    consumed_at timestamptz(3),
    -- Of a refresh token: the answer that its first use got, sealed with a key that only the token itself yields.
    successor bytea,
    PRIMARY KEY (kind, id_digest)
  );
  CREATE INDEX oauth_artifact_credential ON oauth_artifact (credential_id) WHERE credential_id IS NOT NULL;
  CREATE INDEX oauth_artifact_age ON oauth_artifact (expires_at);

  -- Which program a person approved; the person and the scopes stand in the credential.
  CREATE TABLE mcp_grant (
    workspace_id ulid NOT NULL,
    credential_id ulid NOT NULL,
    client_id text NOT NULL,
    client_name text NOT NULL,
    redirect_host text NOT NULL,
    PRIMARY KEY (workspace_id, credential_id),
    FOREIGN KEY (workspace_id, credential_id) REFERENCES credential ON DELETE CASCADE
  );

  CREATE TABLE web_session (
    workspace_id ulid NOT NULL,
    id ulid NOT NULL,
    member_id ulid NOT NULL,
    secret_digest bytea NOT NULL CHECK (length(secret_digest) = 32),
    -- What the browser calls itself, shortened: so that its owner tells one session from another.
    user_agent text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    seen_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (id),
    FOREIGN KEY (workspace_id, member_id) REFERENCES member
  );
  CREATE INDEX web_session_member ON web_session (workspace_id, member_id) WHERE ended_at IS NULL;

  -- Who a member is at the identity provider: an e-mail address can pass to somebody else, a subject cannot.
  CREATE TABLE member_identity (
    workspace_id ulid NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    member_id ulid NOT NULL,
    linked_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, issuer, subject),
    FOREIGN KEY (workspace_id, member_id) REFERENCES member
  );
`;

const PROTECTION = [
  protectTenantTable({ name: 'mcp_grant', app: ['SELECT', 'INSERT'] }),
  protectTenantTable({ name: 'web_session', app: ['SELECT', 'INSERT', 'UPDATE'] }),
  protectTenantTable({ name: 'member_identity', app: ['SELECT', 'INSERT', 'UPDATE'] }),
  // No tenant to compare with, so no policy for the application at all: the functions' owner is the only way in.
  ...['oauth_client', 'oauth_artifact'].map(
    (table) => `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY owner ON ${table} TO perdure_owner USING (true) WITH CHECK (true);
    CREATE POLICY auth ON ${table} TO perdure_auth USING (true) WITH CHECK (true);
    GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO perdure_auth;`,
  ),
  'GRANT UPDATE (changed_in) ON credential TO perdure_auth;',
  // FOR UPDATE SKIP LOCKED asks for the right to update, of which one column is enough.
  'GRANT DELETE, UPDATE (expires_at) ON web_session TO perdure_auth;',
  "CREATE POLICY auth_over ON web_session TO perdure_auth USING (expires_at < clock_timestamp() - interval '30 days');",
  'GRANT SELECT ON mcp_grant, web_session, member_identity TO perdure_auth;',
  ...['mcp_grant', 'web_session', 'member_identity'].map(
    (table) => `CREATE POLICY auth ON ${table} FOR SELECT TO perdure_auth USING (true);`,
  ),
].join('\n');

/** Hands a function to the role that sees across workspaces, and lets only the application call it. */
const lookUp = (signature: string) => `
  ALTER FUNCTION ${signature} OWNER TO perdure_auth;
  REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${signature} TO perdure_app;
`;

const DEFINER = 'SECURITY DEFINER SET search_path = public, pg_temp';

const ARTIFACTS = `
  CREATE FUNCTION perdure_oauth_put(kind text, id_digest bytea, credential_id text, payload text, scopes text[],
                                    audience text, expires_at timestamptz) RETURNS void
  LANGUAGE sql VOLATILE ${DEFINER} AS $$
    INSERT INTO oauth_artifact (kind, id_digest, credential_id, payload, scopes, audience, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (kind, id_digest) DO UPDATE
      SET payload = excluded.payload, scopes = excluded.scopes, expires_at = excluded.expires_at
  $$;
  ${lookUp('perdure_oauth_put(text, bytea, text, text, text[], text, timestamptz)')}

  -- Nothing that hangs on a credential is found once that was revoked, has expired, or its person has left.
  CREATE FUNCTION perdure_oauth_find(kind text, id_digest bytea)
  RETURNS TABLE (payload text, consumed_at timestamptz)
  LANGUAGE sql STABLE ${DEFINER} AS $$
    SELECT o.payload, o.consumed_at FROM oauth_artifact o
    LEFT JOIN credential c ON c.id = o.credential_id
    LEFT JOIN member m ON m.workspace_id = c.workspace_id AND m.id = c.member_id
    WHERE o.kind = $1 AND o.id_digest = $2 AND o.expires_at > clock_timestamp()
      AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > clock_timestamp())
      AND (m.id IS NULL OR m.status = 'active')
  $$;
  ${lookUp('perdure_oauth_find(text, bytea)')}

  -- True for the first who asks, however many do at once.
  CREATE FUNCTION perdure_oauth_consume(kind text, id_digest bytea) RETURNS boolean
  LANGUAGE sql VOLATILE ${DEFINER} AS $$
    WITH taken AS (
      UPDATE oauth_artifact o SET consumed_at = clock_timestamp()
      WHERE o.kind = $1 AND o.id_digest = $2 AND o.consumed_at IS NULL RETURNING 1)
    SELECT EXISTS (SELECT 1 FROM taken)
  $$;
  ${lookUp('perdure_oauth_consume(text, bytea)')}

  -- An access token that goes alone is one of its credential's changes, so that no process goes on trusting it.
  CREATE FUNCTION perdure_oauth_destroy(kind text, id_digest bytea) RETURNS void
  LANGUAGE sql VOLATILE ${DEFINER} AS $$
    WITH gone AS (
      DELETE FROM oauth_artifact o WHERE o.kind = $1 AND o.id_digest = $2 RETURNING o.kind, o.credential_id)
    UPDATE credential c SET changed_in = pg_current_xact_id() FROM gone
    WHERE c.id = gone.credential_id AND gone.kind IN ('AccessToken', 'ClientCredentials')
  $$;
  ${lookUp('perdure_oauth_destroy(text, bytea)')}

  -- Whose grant it is: to be revoked in its own workspace, with its audit event.
  CREATE FUNCTION perdure_oauth_grant(credential_id text)
  RETURNS TABLE (workspace_id text, actor_id text, revoked_at timestamptz)
  LANGUAGE sql STABLE ${DEFINER} AS $$
    SELECT c.workspace_id, c.actor_id, c.revoked_at FROM credential c
    WHERE c.id = $1 AND c.via = 'mcp_authorization'
  $$;
  ${lookUp('perdure_oauth_grant(text)')}

  -- An access token with all that one request needs to know about it, in one look-up.
  CREATE FUNCTION perdure_access_token(id_digest bytea)
  RETURNS TABLE (credential_id text, scopes text[], audience text, expires_at timestamptz, by_consent boolean)
  LANGUAGE sql STABLE ${DEFINER} AS $$
    SELECT o.credential_id, o.scopes, o.audience, o.expires_at, o.kind = 'AccessToken' FROM oauth_artifact o
    WHERE o.kind IN ('AccessToken', 'ClientCredentials') AND o.id_digest = $1
  $$;
  ${lookUp('perdure_access_token(bytea)')}

  CREATE FUNCTION perdure_oauth_sweep() RETURNS void
  LANGUAGE sql VOLATILE ${DEFINER} AS $$
    DELETE FROM oauth_artifact WHERE (kind, id_digest) IN (
      SELECT kind, id_digest FROM oauth_artifact WHERE expires_at < clock_timestamp() - interval '1 hour'
      LIMIT 500 FOR UPDATE SKIP LOCKED);
    -- The answer to a refresh is of use only to whom it did not reach.
    UPDATE oauth_artifact SET successor = NULL
    WHERE successor IS NOT NULL AND consumed_at < clock_timestamp() - interval '5 minutes';
    -- A client that nobody was ever asked about is gone after a day, an unused one when its last grant is long over.
    DELETE FROM oauth_client WHERE id IN (
      SELECT c.id FROM oauth_client c
      WHERE c.created_at < clock_timestamp() - interval '1 day'
        AND coalesce(c.used_at < clock_timestamp() - interval '120 days', true)
      LIMIT 500 FOR UPDATE SKIP LOCKED);
    DELETE FROM web_session WHERE id IN (
      SELECT s.id FROM web_session s WHERE s.expires_at < clock_timestamp() - interval '30 days'
      LIMIT 500 FOR UPDATE SKIP LOCKED)
  $$;
  ${lookUp('perdure_oauth_sweep()')}
`;

/**
 * Uses a refresh token up and stores what takes its place: one statement, so that a crash leaves the old one or the new
 * ones. The row lock lets one of several simultaneous refreshes rotate; the others find its answer.
 */
const ROTATION = `
  CREATE FUNCTION perdure_oauth_rotate(old_digest bytea, client_id text, reuse_seconds int, sealed bytea,
    refresh_digest bytea, refresh_payload text, refresh_expires timestamptz,
    access_digest bytea, access_payload text, access_scopes text[], access_audience text, access_expires timestamptz,
    OUT outcome text, OUT answer bytea, OUT grant_credential text)
  LANGUAGE plpgsql VOLATILE ${DEFINER} AS $$
  DECLARE token oauth_artifact;
  BEGIN
    SELECT * INTO token FROM oauth_artifact o WHERE o.kind = 'RefreshToken' AND o.id_digest = old_digest FOR UPDATE;
    IF token.id_digest IS NULL OR token.payload::jsonb ->> 'clientId' IS DISTINCT FROM client_id
       OR NOT EXISTS (SELECT 1 FROM perdure_oauth_find('RefreshToken', old_digest)) THEN
      outcome := 'unknown';
    ELSIF token.consumed_at IS NULL THEN
      UPDATE oauth_artifact o SET consumed_at = clock_timestamp(), successor = sealed
      WHERE o.kind = 'RefreshToken' AND o.id_digest = old_digest;
      PERFORM perdure_oauth_put('RefreshToken', refresh_digest, token.credential_id, refresh_payload, NULL, NULL, refresh_expires);
      PERFORM perdure_oauth_put('AccessToken', access_digest, token.credential_id, access_payload, access_scopes,
                                access_audience, access_expires);
      outcome := 'rotated';
    ELSIF token.consumed_at > clock_timestamp() - make_interval(secs => reuse_seconds) THEN
      outcome := 'repeated';
      answer := token.successor;
    ELSE
      outcome := 'reused';
      grant_credential := token.credential_id;
    END IF;
  END $$;
  ${lookUp(
    'perdure_oauth_rotate(bytea, text, int, bytea, bytea, text, timestamptz, bytea, text, text[], text, timestamptz)',
  )}
`;

const CLIENTS = `
  CREATE FUNCTION perdure_oauth_register(id text, metadata text) RETURNS void
  LANGUAGE sql VOLATILE ${DEFINER} AS $$
    INSERT INTO oauth_client (id, metadata, created_at) VALUES ($1, $2, clock_timestamp())
  $$;
  ${lookUp('perdure_oauth_register(text, text)')}

  CREATE FUNCTION perdure_oauth_client(id text) RETURNS text
  LANGUAGE sql STABLE ${DEFINER} AS $$ SELECT metadata FROM oauth_client c WHERE c.id = $1 $$;
  ${lookUp('perdure_oauth_client(text)')}

  CREATE FUNCTION perdure_oauth_client_used(id text) RETURNS void
  LANGUAGE sql VOLATILE ${DEFINER} AS $$
    UPDATE oauth_client c SET used_at = clock_timestamp() WHERE c.id = $1
  $$;
  ${lookUp('perdure_oauth_client_used(text)')}
`;

const PEOPLE = `
  CREATE FUNCTION perdure_web_session(session_id text)
  RETURNS TABLE (workspace_id text, workspace_name text, workspace_status text, member_id text, member_role text,
                 member_email text, actor_id text, actor_name text, secret_digest bytea,
                 created_at timestamptz, seen_at timestamptz, expires_at timestamptz)
  LANGUAGE sql STABLE ${DEFINER} AS $$
    SELECT s.workspace_id, w.name, w.status, m.id, m.role, m.email, a.id, a.name, s.secret_digest,
      s.created_at, s.seen_at, s.expires_at
    FROM web_session s
    JOIN workspace w ON w.workspace_id = s.workspace_id
    JOIN member m ON m.workspace_id = s.workspace_id AND m.id = s.member_id AND m.status = 'active'
    JOIN actor a ON a.workspace_id = m.workspace_id AND a.id = m.actor_id
    WHERE s.id = $1 AND s.ended_at IS NULL
  $$;
  ${lookUp('perdure_web_session(text)')}

  -- Where somebody whom the identity provider has identified is a member: by subject, else by a verified address.
  CREATE FUNCTION perdure_memberships(issuer text, subject text, email text)
  RETURNS TABLE (workspace_id text, workspace_slug text, workspace_name text, member_id text)
  LANGUAGE sql STABLE ${DEFINER} AS $$
    SELECT w.workspace_id, w.slug, w.name, m.id
    FROM member m JOIN workspace w ON w.workspace_id = m.workspace_id
    LEFT JOIN member_identity i ON i.workspace_id = m.workspace_id AND i.member_id = m.id AND i.issuer = $1
    WHERE m.status <> 'removed' AND (i.subject = $2 OR (i.subject IS NULL AND lower(m.email) = lower($3)))
    ORDER BY w.name, w.workspace_id
  $$;
  ${lookUp('perdure_memberships(text, text, text)')}

  CREATE FUNCTION perdure_workspace_named(slug text)
  RETURNS TABLE (workspace_id text, workspace_name text)
  LANGUAGE sql STABLE ${DEFINER} AS $$
    SELECT w.workspace_id, w.name FROM workspace w WHERE w.slug = $1 AND w.kind = 'tenant'
  $$;
  ${lookUp('perdure_workspace_named(text)')}
`;
