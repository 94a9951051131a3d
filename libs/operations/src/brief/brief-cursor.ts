import { createHash } from 'node:crypto';
import { DomainError } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';

interface CursorRow {
  readonly identity: string;
  readonly snapshot: string;
}

/**
 * A place in the history of the database: its identity and a snapshot. What a snapshot did not see yet is reported
 * next time, however late it commits; a time or an id would miss it (S16). Short, since an agent pays for each character.
 */
export async function takeCursor(tx: Transaction, projectId: string): Promise<string> {
  const row = await readHere(tx);
  return `${fingerprint(row, projectId)}.${row.snapshot}`;
}

/**
 * The snapshot of an earlier brief of the same project in the same database.
 *
 * @throws DomainError `invalid_cursor`, also after a restore: the numbers of transactions start anew then
 */
export async function readSince(tx: Transaction, projectId: string, since: string | undefined): Promise<string | null> {
  if (since === undefined) return null;
  const [given = '', snapshot = ''] = since.split('.', 2);
  const here = await readHere(tx);
  if (given === fingerprint(here, projectId) && isSnapshot(snapshot) && upTo(snapshot) <= upTo(here.snapshot))
    return snapshot;
  throw new DomainError(
    'invalid_cursor',
    'The cursor is not one of this project in this database, or the database was restored.',
  );
}

async function readHere(tx: Transaction): Promise<CursorRow> {
  const row = await tx.first<CursorRow>(
    'SELECT perdure_database_identity() AS identity, pg_current_snapshot()::text AS snapshot',
  );
  if (row === undefined) throw new Error('the database does not say where it is');
  return row;
}

const fingerprint = ({ identity }: CursorRow, projectId: string): string =>
  createHash('sha256').update(`${identity}/${projectId}`).digest('base64url').slice(0, 8);

/** `xmin:xmax:xip,…` as Postgres prints it: it goes back into a statement as a parameter. */
const isSnapshot = (text: string): boolean => /^\d{1,19}:\d{1,19}:(\d{1,19}(,\d{1,19})*)?$/.test(text);

const upTo = (snapshot: string): bigint => BigInt(snapshot.split(':')[1] ?? 0);
