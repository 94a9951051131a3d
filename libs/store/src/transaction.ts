import { DomainError, ULID_PATTERN } from '@perdure/contracts';
import type { DataSource, EntityManager } from 'typeorm';
import { type Cancellable, cancelOnAbort } from './cancel-statement.js';
import { translatePostgresError } from './postgres-errors.js';
import { type StatementNames, statementNamesOf } from './statement-names.js';
import { STANDING_SQL, standingOf, type WorkspaceStanding } from './workspace-standing.js';

/** A value that Postgres takes as a parameter. */
export type SqlValue = string | number | boolean | null | Date | Uint8Array | readonly SqlValue[];

/** An open transaction with the tenant set: every statement of one call goes through it. */
export interface Transaction {
  readonly workspaceId: string;
  /** Rows of one statement, parameters as `$1 …`. */
  rows<Row>(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** The first row, or undefined. */
  first<Row>(sql: string, parameters?: readonly SqlValue[]): Promise<Row | undefined>;
  /** How many rows one statement changed. */
  run(sql: string, parameters?: readonly SqlValue[]): Promise<number>;
  /** Sends a statement without waiting for it. Does it fail, the transaction does, with its error. */
  send(sql: string, parameters?: readonly SqlValue[]): void;
  /** TypeORM on the same connection, for reads by entity; its own writing verbs would open a transaction of theirs. */
  readonly entities: Pick<EntityManager, 'find' | 'findOneBy' | 'createQueryBuilder'>;
}

/** The part of node-postgres' client that is used here; TypeORM types it `any`. */
interface PostgresClient extends Cancellable {
  query(
    statement: string | { name?: string | undefined; text: string; values: readonly SqlValue[] },
  ): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

export interface TransactionOptions {
  /** When it is aborted before the commit, the statement that runs is cancelled and the transaction rolled back. */
  readonly signal?: AbortSignal | undefined;
  /** Reads the workspace's standing in the message that begins the transaction: without a round trip of its own. */
  readonly readStanding?: boolean;
}

/**
 * Runs `work` in one READ COMMITTED transaction in which row-level security lets only this workspace through.
 * The setting is local to the transaction: one at session level leaked 1,000 foreign rows through a pooler.
 *
 * @throws what `work` throws, after a rollback; the signal's reason when the caller went away
 */
export async function withWorkspace<Result>(
  dataSource: DataSource,
  workspaceId: string,
  work: (tx: Transaction, standing: Promise<WorkspaceStanding | null>) => Promise<Result>,
  { signal, readStanding = false }: TransactionOptions = {},
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  const client: PostgresClient = await runner.connect();
  const names = statementNamesOf(dataSource);
  const sent: Promise<unknown>[] = [];
  const endWatch = cancelOnAbort(client, signal);
  try {
    signal?.throwIfAborted();
    // Begin and tenant travel as one message, together with the first statement: two round trips less in every call. Were
    // they to fail alone, that statement would run without a tenant, and row-level security lets it see and write nothing.
    const begin = `${names?.renewal(client) ?? ''}BEGIN; ${setTenantSql(workspaceId)}`;
    const begun = client.query(readStanding ? `${begin}; ${STANDING_SQL}` : begin);
    keep(sent, begun);
    const standing = readStanding ? begun.then(lastRowOf) : Promise.resolve(null);
    standing.catch(() => undefined); // told at the commit, with what was sent
    const result = await work(transactionOn({ client, names, sent, signal }, runner.manager, workspaceId), standing);
    signal?.throwIfAborted();
    void endWatch();
    await commit(client, sent);
    return result;
  } catch (error) {
    // Not before a cancellation has arrived: it would hit the next call on this connection.
    await endWatch();
    await rollBack(client);
    // What a cancelled statement says is no fault of the database.
    throw signal?.aborted === true ? abortedBy(signal) : error;
  } finally {
    await runner.release();
  }
}

/** Twice, for a cancellation may hit the first. A lost connection has rolled back already. */
const rollBack = (client: PostgresClient) =>
  client
    .query('ROLLBACK')
    .catch(() => client.query('ROLLBACK'))
    .catch(() => undefined);

const abortedBy = ({ reason }: AbortSignal): Error => (reason instanceof Error ? reason : new Error(String(reason)));

/** The standing in the answer to several statements in one message; null when the workspace does not exist. */
function lastRowOf(results: unknown): WorkspaceStanding | null {
  const [row] = (results as { rows: unknown[] }[]).at(-1)?.rows ?? []; // node-postgres: a list, one result a statement
  return row === undefined ? null : standingOf(row);
}

/** Its failure is told at the commit; until then it must not count as unhandled. */
function keep(sent: Promise<unknown>[], statement: Promise<unknown>): void {
  statement.catch(() => undefined);
  sent.push(statement);
}

/**
 * The commit follows what was sent without waiting for it: of a transaction in which a statement failed Postgres makes a
 * rollback (PostgreSQL documentation, COMMIT). A connection that breaks meanwhile leaves open whether it happened: the
 * caller must be told so.
 */
async function commit(client: PostgresClient, sent: readonly Promise<unknown>[]): Promise<void> {
  try {
    await client.query('COMMIT');
  } catch (error) {
    const refusal = translatePostgresError(error);
    if (!(refusal instanceof DomainError) || refusal.code !== 'unavailable') throw error;
    throw new DomainError(
      'unavailable',
      'The connection to the database broke during the commit: whether this call was written is not known.',
      {},
      'Repeat it with the same idempotency_key; without one, look first whether it was written.',
    );
  }
  await Promise.all(sent);
}

/**
 * Runs `work` inside the same transaction as another workspace, then turns back. Only platform operations, which
 * create and delete workspaces from outside, have a reason to: everything else gets its tenant from the caller.
 */
export async function unsafelyAsWorkspace<Result>(
  tx: Transaction,
  workspaceId: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  await turnTo(tx, workspaceId);
  const result = await work({ ...tx, workspaceId });
  await turnTo(tx, tx.workspaceId);
  return result;
}

/** With a parameter: every text is kept under a name. */
const turnTo = (tx: Transaction, workspaceId: string) =>
  tx.run(`SELECT set_config('perdure.workspace_id', $1, true)`, [workspaceId]);

interface Connection {
  readonly client: PostgresClient;
  readonly names: StatementNames | undefined;
  readonly sent: Promise<unknown>[];
  readonly signal: AbortSignal | undefined;
}

function transactionOn(
  { client, names, sent, signal }: Connection,
  entities: Transaction['entities'],
  workspaceId: string,
): Transaction {
  const query = (text: string, values: readonly SqlValue[] = []) => {
    // A cancellation ends one statement; the next would run.
    if (signal?.aborted === true) return Promise.reject(abortedBy(signal));
    return client.query({ name: names?.of(text), text, values });
  };
  const rows = async <Row>(sql: string, parameters?: readonly SqlValue[]) => {
    const result = await query(sql, parameters);
    return result.rows as Row[]; // the caller names the shape of the statement it wrote
  };
  return {
    workspaceId,
    entities,
    rows,
    first: async <Row>(sql: string, parameters?: readonly SqlValue[]) => (await rows<Row>(sql, parameters))[0],
    run: async (sql, parameters) => (await query(sql, parameters)).rowCount ?? 0,
    send: (sql, parameters) => keep(sent, query(sql, parameters)),
  };
}

/**
 * Runs `work` so that its failure undoes only what it did: for a write that a constraint may refuse and that is answered
 * from what stands in its way.
 *
 * @throws what `work` throws; the transaction can go on
 */
export async function withSavepoint<Result>(tx: Transaction, work: () => Promise<Result>): Promise<Result> {
  await tx.run('SAVEPOINT attempt');
  try {
    const result = await work();
    await tx.run('RELEASE SAVEPOINT attempt');
    return result;
  } catch (error) {
    await tx.run('ROLLBACK TO SAVEPOINT attempt');
    throw error;
  }
}

/** The id is checked, for it stands in the text of the statement. */
export function setTenantSql(workspaceId: string): string {
  if (!ULID_PATTERN.test(workspaceId)) throw new TypeError('a workspace id must be a ULID');
  return `SET LOCAL perdure.workspace_id = '${workspaceId}'`;
}
