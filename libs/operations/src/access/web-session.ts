import { timingSafeEqual } from 'node:crypto';
import type { MemberRole } from '@perdure/contracts';
import { findWebSession, type WebSessionRow, withWorkspace } from '@perdure/store';
import type { DataSource } from 'typeorm';
import { ulid } from 'ulid';
import { mintToken, readTokenOf } from './token.js';

/** Unused for half a day, a session ends; after a week everybody signs in again (OWASP ASVS 5.0 V7.3). */
const IDLE_MS = 12 * 3600_000;
const ABSOLUTE_MS = 7 * 24 * 3600_000;
/** That a session was used is written this often, not with every page. */
const SEEN_RESOLUTION_MS = 5 * 60_000;
const MAX_USER_AGENT = 200;

/** A person who is signed in, as the pages need them. */
export interface SignedInPerson {
  readonly sessionId: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly workspaceStatus: string;
  readonly memberId: string;
  readonly role: MemberRole;
  readonly email: string | null;
  readonly actorId: string;
  readonly name: string;
}

export interface WebSession {
  readonly id: string;
  readonly user_agent: string;
  readonly created_at: string;
  readonly seen_at: string;
}

type Member = Pick<SignedInPerson, 'workspaceId' | 'memberId'>;

/** @returns the token of a new session: the cookie's value, which exists nowhere else */
export async function startWebSession(
  dataSource: DataSource,
  { workspaceId, memberId }: Member,
  userAgent: string,
  now: Date,
): Promise<string> {
  const id = ulid();
  const { token, secretDigest } = mintToken(id, 'session');
  await withWorkspace(dataSource, workspaceId, (tx) =>
    tx.run(
      `INSERT INTO web_session (workspace_id, id, member_id, secret_digest, user_agent, created_at, seen_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6, $7)`,
      [
        workspaceId,
        id,
        memberId,
        secretDigest,
        userAgent.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_USER_AGENT),
        now,
        new Date(now.getTime() + ABSOLUTE_MS),
      ],
    ),
  );
  return token;
}

/** Who is signed in with that cookie; null when it is no session of ours, has ended or was idle too long. */
export async function findSignedInPerson(
  dataSource: DataSource,
  token: string,
  now: Date,
): Promise<SignedInPerson | null> {
  const read = readTokenOf('session', token);
  const row = read === null ? undefined : await findWebSession(dataSource, read.id);
  if (read === null || row === undefined || !timingSafeEqual(row.secret_digest, read.secretDigest)) return null;
  const idleFor = now.getTime() - row.seen_at.getTime();
  if (row.expires_at <= now || idleFor > IDLE_MS) return null;
  if (idleFor > SEEN_RESOLUTION_MS) await noteSeen(dataSource, row, read.id, now);
  return personOf(read.id, row);
}

/** Sessions of a person that are still good, the one used last first. */
export const listWebSessions = (
  dataSource: DataSource,
  { workspaceId, memberId }: Member,
  now: Date,
): Promise<WebSession[]> =>
  withWorkspace(dataSource, workspaceId, (tx) =>
    tx.rows<WebSession>(
      `SELECT id, user_agent, perdure_instant(created_at) AS created_at, perdure_instant(seen_at) AS seen_at
       FROM web_session
       WHERE workspace_id = $1 AND member_id = $2 AND ended_at IS NULL AND expires_at > $3 AND seen_at > $4
       ORDER BY seen_at DESC, id DESC LIMIT 200`,
      [workspaceId, memberId, now, new Date(now.getTime() - IDLE_MS)],
    ),
  );

/** Ends a session of that person; one that is none of theirs stays as it is. */
export const endWebSession = (
  dataSource: DataSource,
  { workspaceId, memberId }: Member,
  sessionId: string,
  now: Date,
): Promise<number> =>
  withWorkspace(dataSource, workspaceId, (tx) =>
    tx.run(
      `UPDATE web_session SET ended_at = $4
       WHERE workspace_id = $1 AND member_id = $2 AND id = $3 AND ended_at IS NULL`,
      [workspaceId, memberId, sessionId, now],
    ),
  );

const noteSeen = (dataSource: DataSource, { workspace_id }: WebSessionRow, id: string, now: Date): Promise<number> =>
  withWorkspace(dataSource, workspace_id, (tx) =>
    tx.run('UPDATE web_session SET seen_at = $3 WHERE workspace_id = $1 AND id = $2', [workspace_id, id, now]),
  );

const personOf = (sessionId: string, row: WebSessionRow): SignedInPerson => ({
  sessionId,
  workspaceId: row.workspace_id,
  workspaceName: row.workspace_name,
  workspaceStatus: row.workspace_status,
  memberId: row.member_id,
  role: row.member_role,
  email: row.member_email,
  actorId: row.actor_id,
  name: row.actor_name,
});
