import { Client, escapeIdentifier, escapeLiteral } from 'pg';

/** The login roles (DESIGN §5). None is SUPERUSER or BYPASSRLS. `perdure_queue` owns only the schema of the Postgres queue. */
export const ROLES = [
  'perdure_owner',
  'perdure_app',
  'perdure_writer',
  'perdure_ingest',
  'perdure_purge',
  'perdure_queue',
] as const;

export type RoleName = (typeof ROLES)[number];

/**
 * Own functions that look across tenants, and nothing else; nobody logs in as them. One finds a credential before its
 * workspace is known, the other rows by their text, which under row-level security no index may do (ADR 0021).
 */
const AUTH_ROLE = 'perdure_auth';
const SEARCH_ROLE = 'perdure_search';

export const QUEUE_SCHEMA = 'perdure_queue';

interface BootstrapOptions {
  /** A superuser's connection to any database of the cluster. */
  readonly superuserUrl: string;
  readonly database: string;
  readonly passwords: Readonly<Record<RoleName, string>>;
}

/** Makes roles, database and schema privileges; running it again changes nothing but the passwords given. */
export async function bootstrapRoles({ superuserUrl, database, passwords }: BootstrapOptions): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    for (const role of ROLES) await ensureRole(client, role, `LOGIN PASSWORD ${escapeLiteral(passwords[role])}`);
    for (const role of [AUTH_ROLE, SEARCH_ROLE]) await ensureRole(client, role, 'NOLOGIN');
    // The owner hands functions over to these, for which it must be a member of them.
    await client.query(`GRANT ${AUTH_ROLE}, ${SEARCH_ROLE}, perdure_purge TO perdure_owner`);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${escapeIdentifier(database)} OWNER perdure_owner`);
    await limitRoles(client, database);
  });
  await withClient(databaseUrl(superuserUrl, database), (client) => client.query(SCHEMA_PRIVILEGES));
}

/** The same url with another database name. */
export function databaseUrl(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}

const SCHEMA_PRIVILEGES = `
  REVOKE ALL ON SCHEMA public FROM PUBLIC;
  ALTER SCHEMA public OWNER TO perdure_owner;
  GRANT USAGE ON SCHEMA public TO perdure_app, perdure_writer, perdure_ingest;
  GRANT USAGE, CREATE ON SCHEMA public TO ${AUTH_ROLE}, ${SEARCH_ROLE}, perdure_purge;
  CREATE SCHEMA IF NOT EXISTS ${QUEUE_SCHEMA} AUTHORIZATION perdure_queue;
`;

async function ensureRole(client: Client, role: string, attributes: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  const verb = rowCount === 0 ? 'CREATE' : 'ALTER';
  await client.query(`${verb} ROLE ${role} WITH NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE ${attributes}`);
}

/** A request is short: 15 s for one statement, 10 s for a lock, 30 s idle inside a transaction, then Postgres ends it. */
async function limitRoles(client: Client, database: string): Promise<void> {
  const name = escapeIdentifier(database);
  await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  for (const role of ROLES) await client.query(`GRANT CONNECT ON DATABASE ${name} TO ${role}`);
  for (const role of ['perdure_app', 'perdure_writer', 'perdure_ingest']) {
    await client.query(`ALTER ROLE ${role} SET statement_timeout = '15s'`);
    await client.query(`ALTER ROLE ${role} SET lock_timeout = '10s'`);
    await client.query(`ALTER ROLE ${role} SET idle_in_transaction_session_timeout = '30s'`);
  }
  await client.query(`ALTER ROLE perdure_queue IN DATABASE ${name} SET search_path = ${QUEUE_SCHEMA}`);
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
