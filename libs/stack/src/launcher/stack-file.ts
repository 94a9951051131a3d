import { isRecord, readJson, writePrivateJson } from '../private-file.js';

/** What bootstrapping hands out: kept in stack.json, because a token is disclosed once and cannot be read again. */
export interface Credentials {
  workspace_id: string;
  project: string;
  agent_token: string;
  measurer_token: string;
  reporter_token: string;
  auditor_token: string;
  admin_token: string;
  platform_token: string;
}

/** `stack.json` (DESIGN §9): where a running stack is and how to get in. */
export interface StackFile extends Credentials {
  /** False from the beginning of a stop until the next start is complete. */
  ready: boolean;
  mcp_url: string;
  api_url: string;
  dashboard_url: string;
  database_url: string;
  database_owner_url: string;
  /** Embedded Postgres only. */
  database_superuser_url?: string;
  queue_url: string;
  processes: { name: string; pid: number }[];
}

const CREDENTIAL_NAMES = [
  'workspace_id',
  'project',
  'agent_token',
  'measurer_token',
  'reporter_token',
  'auditor_token',
  'admin_token',
  'platform_token',
] as const satisfies readonly (keyof Credentials)[];

export const TOKEN_NAMES = CREDENTIAL_NAMES.filter((name) => name.endsWith('_token'));

/** The credentials an earlier start wrote down; null when there are none or some are missing. */
export function readCredentials(file: string): Credentials | null {
  const content = readJson(file);
  if (!isRecord(content)) return null;
  const found = CREDENTIAL_NAMES.map((name) => [name, content[name]] as const);
  if (!found.every(([, value]) => typeof value === 'string' && value !== '')) return null;
  return Object.fromEntries(found) as unknown as Credentials; // every name was just found to hold a text
}

export function writeStackFile(file: string, content: StackFile): void {
  writePrivateJson(file, content);
}

/** Says in an existing file that the stack does not serve, and keeps the rest: the tokens stay valid. */
export function markNotReady(file: string): void {
  const content = readJson(file);
  if (isRecord(content)) writePrivateJson(file, { ...content, ready: false, processes: [] });
}
