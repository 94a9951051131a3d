import { randomBytes } from 'node:crypto';
import { databaseUrl, ROLES, type RoleName } from '@perdure/store';
import type { Connections } from './applications.js';
import { isRecord, readJson, writePrivateJson } from '../private-file.js';

export const DATABASE = 'perdure';

export type DatabaseConnections = Omit<Connections, 'queueUrl'>;

const REQUIRED = [
  'PERDURE_DATABASE_URL',
  'PERDURE_DATABASE_OWNER_URL',
  'PERDURE_WRITER_DATABASE_URL',
  'PERDURE_INGEST_DATABASE_URL',
] as const;

/**
 * The addresses of a Postgres that somebody else runs, from the environment; null when PERDURE_DATABASE_URL is not set.
 * Throws naming every address that is missing: the roles differ, so one cannot stand in for another.
 */
export function externalConnections(env: NodeJS.ProcessEnv): DatabaseConnections | null {
  if (!env.PERDURE_DATABASE_URL) return null;
  const missing = REQUIRED.filter((name) => !env[name]);
  if (missing.length > 0) {
    throw new Error(`PERDURE_DATABASE_URL is set, so these must be too: ${missing.join(', ')}.`);
  }
  const address = (name: (typeof REQUIRED)[number]) => env[name] ?? '';
  return {
    databaseUrl: address('PERDURE_DATABASE_URL'),
    ownerUrl: address('PERDURE_DATABASE_OWNER_URL'),
    directUrl: env.PERDURE_DATABASE_DIRECT_URL || address('PERDURE_DATABASE_URL'),
    writerUrl: address('PERDURE_WRITER_DATABASE_URL'),
    ingestUrl: address('PERDURE_INGEST_DATABASE_URL'),
  };
}

/** The addresses on the embedded Postgres. `superuserUrl` may name any database. */
export function embeddedConnections(
  superuserUrl: string,
  passwords: Readonly<Record<RoleName, string>>,
): DatabaseConnections {
  const as = (role: RoleName) => roleUrl(superuserUrl, role, passwords);
  return {
    databaseUrl: as('perdure_app'),
    ownerUrl: as('perdure_owner'),
    directUrl: as('perdure_app'),
    writerUrl: as('perdure_writer'),
    ingestUrl: as('perdure_ingest'),
    superuserUrl: databaseUrl(superuserUrl, DATABASE),
  };
}

/** The same server as another role, on the database of the installation. */
export function roleUrl(superuserUrl: string, role: RoleName, passwords: Readonly<Record<RoleName, string>>): string {
  const url = new URL(databaseUrl(superuserUrl, DATABASE));
  url.username = role;
  url.password = passwords[role];
  return url.toString();
}

/** Random passwords for the roles of the embedded Postgres, made once and kept in a 0600 file. */
export function rolePasswords(secretsFile: string): Record<RoleName, string> {
  const content = readJson(secretsFile);
  const kept = isRecord(content) && isRecord(content.role_passwords) ? content.role_passwords : {};
  const passwords = Object.fromEntries(
    ROLES.map((role) => [role, typeof kept[role] === 'string' ? kept[role] : randomBytes(24).toString('base64url')]),
  ) as Record<RoleName, string>; // one entry for each of ROLES
  writePrivateJson(secretsFile, { role_passwords: passwords });
  return passwords;
}
