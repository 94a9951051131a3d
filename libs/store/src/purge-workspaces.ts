import { ulid } from 'ulid';
import { sealEvent } from './audit-recorder.js';

/** A connection as `perdure_writer` that one transaction after the other can have for itself. */
export interface PurgeConnection {
  query(sql: string, parameters?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A workspace that was deleted, and where its chain ended. */
export interface PurgedWorkspace {
  readonly workspaceId: string;
  readonly slug: string;
  readonly size: number;
}

interface ClosedWorkspace {
  readonly slug: string;
  readonly installation: string;
  readonly scheduled_by: string;
  readonly size: string;
  readonly head_hash: Buffer | null;
  readonly unlinked: string;
}

/**
 * Deletes the workspaces whose days of grace are over, each in one transaction with its event, which holds the final
 * head, on the chain of the installation. One that somebody still writes, or whose events are not all linked, is left
 * for the next time. Several processes may do this at once.
 *
 * @param now RFC 3339, UTC, milliseconds
 */
export async function purgeDueWorkspaces(connection: PurgeConnection, now: () => string): Promise<PurgedWorkspace[]> {
  const { rows } = await connection.query('SELECT perdure_due_deletions() AS id');
  const due = rows as { id: string }[]; // the column of the statement
  const purged: PurgedWorkspace[] = [];
  for (const { id } of due) {
    const done = await inTransaction(connection, () => purge(connection, id, now()));
    if (done !== null) purged.push(done);
  }
  return purged;
}

async function purge(connection: PurgeConnection, workspaceId: string, now: string): Promise<PurgedWorkspace | null> {
  // Millions of rows take longer than a request may.
  await connection.query('SET LOCAL statement_timeout = 0');
  const { rows } = await connection.query('SELECT * FROM perdure_close_workspace($1)', [workspaceId]);
  const closed = rows[0] as ClosedWorkspace | undefined; // a row of the function above, or none
  if (closed === undefined || closed.unlinked !== '0') return null;
  const { slug, size, head_hash: head } = closed;
  const event = sealEvent(closed.installation, {
    eventId: ulid(),
    type: 'workspace.deleted',
    at: now,
    actorId: closed.scheduled_by,
    subjectId: workspaceId,
    payload: { slug, chain_size: Number(size), chain_head: head === null ? null : head.toString('hex') },
  });
  await connection.query('SELECT perdure_purge_workspace($1, $2, $3, $4, $5, $6, $7, $8)', [
    workspaceId,
    event.eventId,
    event.at,
    event.actorId,
    event.payloadDigest,
    event.eventDigest,
    event.salt,
    event.payload,
  ]);
  return { workspaceId, slug, size: Number(size) };
}

async function inTransaction<Result>(connection: PurgeConnection, work: () => Promise<Result>): Promise<Result> {
  await connection.query('BEGIN');
  try {
    const result = await work();
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined); // a lost connection has rolled back already
    throw error;
  }
}
