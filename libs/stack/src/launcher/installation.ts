import { bootstrapInstallation, operatorSignInUrl, seedDemo, validateToken } from '@perdure/operations';
import { connectQueues } from '@perdure/queues';
import { bootstrapRoles, databaseUrl, migrate, type RoleName } from '@perdure/store';
import { Client } from 'pg';
import { DATABASE, type DatabaseConnections } from './connections.js';
import { readCredentials, TOKEN_NAMES, type Credentials } from './stack-file.js';

/** Roles (embedded only: elsewhere the operator makes them), then migrations. Returns the migrations that ran now. */
export async function prepareDatabase(
  connections: DatabaseConnections,
  passwords: Readonly<Record<RoleName, string>> | null,
  superuserUrl: string | null,
): Promise<string[]> {
  if (passwords && superuserUrl) await bootstrapRoles({ superuserUrl, database: DATABASE, passwords });
  return migrate(connections.ownerUrl);
}

/**
 * Brings the schema of the Postgres queue up to date. BullMQ runs CREATE SCHEMA IF NOT EXISTS, for which Postgres demands
 * CREATE on the database although the schema is there; the queue's role has that right only meanwhile.
 */
export async function prepareQueueSchema(superuserUrl: string, queueUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl(superuserUrl, DATABASE) });
  await client.connect();
  try {
    await client.query(`GRANT CREATE ON DATABASE ${DATABASE} TO perdure_queue`);
    const faults: string[] = [];
    const queues = await connectQueues({ url: queueUrl, onError: (error) => faults.push(error.message) });
    await queues.close();
    if (faults.length > 0) throw new Error(`The queue schema could not be prepared: ${faults.join('; ')}`);
  } finally {
    await client.query(`REVOKE CREATE ON DATABASE ${DATABASE} FROM perdure_queue`);
    await client.end();
  }
}

/** The credentials of an earlier start while all of them are still valid, else new ones. */
export async function obtainCredentials(connections: DatabaseConnections, stackFile: string): Promise<Credentials> {
  const appUrl = connections.databaseUrl;
  const kept = readCredentials(stackFile);
  if (kept && (await areValid(appUrl, kept))) return kept;
  const { platformToken } = await bootstrapInstallation(connections.ownerUrl);
  const demo = await seedDemo({ appUrl, platformToken });
  return {
    workspace_id: demo.workspace_id,
    project: demo.project,
    agent_token: demo.agent_token,
    measurer_token: demo.measurer_token,
    reporter_token: demo.reporter_token,
    auditor_token: demo.auditor_token,
    admin_token: demo.admin_token,
    platform_token: platformToken,
  };
}

/** A new one-time link for the owner of the workspace, at every start: it is printed and stands nowhere else. */
export const ownerSignInUrl = (
  { ownerUrl }: DatabaseConnections,
  { workspace_id: workspace }: Credentials,
  apiUrl: string,
): Promise<string> => operatorSignInUrl({ ownerUrl, workspace, apiUrl });

async function areValid(appUrl: string, credentials: Credentials): Promise<boolean> {
  for (const name of TOKEN_NAMES) {
    if (!(await validateToken(appUrl, credentials[name]))) return false;
  }
  return true;
}
