import path from 'node:path';
import { REPOSITORY_ROOT } from '../repository-root.js';

/** Where everything listens, counted from the port base. */
export const PORT_OFFSETS = {
  api: 0,
  'mcp-gateway': 1,
  'audit-writer': 2,
  'usage-ingest': 3,
  postgres: 4,
  redis: 5,
} as const;

export type ApplicationName = 'api' | 'mcp-gateway' | 'audit-writer' | 'usage-ingest';

/** In the order in which the ready block and stack.json name them. */
export const APPLICATIONS: readonly ApplicationName[] = ['api', 'mcp-gateway', 'audit-writer', 'usage-ingest'];

/** Every address a stack hands to its applications. Passwords are part of the urls. */
export interface Connections {
  /** perdure_app. */
  databaseUrl: string;
  /** perdure_owner, for migrations: no application gets it. */
  ownerUrl: string;
  /** perdure_app, not through a transaction pooler. */
  directUrl: string;
  writerUrl: string;
  ingestUrl: string;
  queueUrl: string;
  /** Embedded Postgres only. */
  superuserUrl?: string;
}

export function applicationScript(name: string): string {
  return path.join(REPOSITORY_ROOT, 'apps', name, 'dist', 'main.js');
}

/** A url that only its own application may know, by the name of its variable. */
const CONNECTION_NAMES = [
  'PERDURE_DATABASE_URL',
  'PERDURE_DATABASE_OWNER_URL',
  'PERDURE_DATABASE_DIRECT_URL',
  'PERDURE_WRITER_DATABASE_URL',
  'PERDURE_INGEST_DATABASE_URL',
];

/** The environment of one application: the caller's own, without the connections of the others. */
export function applicationEnvironment(
  name: ApplicationName,
  connections: Connections,
  port: number,
  base: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const kept = Object.entries(base).filter(([key]) => !CONNECTION_NAMES.includes(key));
  return {
    PERDURE_LOG_LEVEL: 'info',
    PERDURE_PUBLIC_URL: localUrl(port),
    ...Object.fromEntries(kept),
    ...databaseVariables(name, connections),
    PERDURE_QUEUE_URL: connections.queueUrl,
    PERDURE_HTTP_HOST: '127.0.0.1',
    PERDURE_HTTP_PORT: String(port),
  };
}

export function localUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

function databaseVariables(name: ApplicationName, connections: Connections): NodeJS.ProcessEnv {
  switch (name) {
    case 'api':
    case 'mcp-gateway':
      return {
        PERDURE_DATABASE_URL: connections.databaseUrl,
        PERDURE_DATABASE_DIRECT_URL: connections.directUrl,
      };
    case 'audit-writer':
      return { PERDURE_WRITER_DATABASE_URL: connections.writerUrl };
    case 'usage-ingest':
      return { PERDURE_INGEST_DATABASE_URL: connections.ingestUrl };
  }
}
