import {
  DEFAULT_LOOP_LIMITS,
  type LoopLimitsObject,
  type LoopRunObject,
  type LoopWorkObject,
} from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { requireProject } from '../projects/find-project.js';

export interface LoopReference {
  readonly project: string;
  readonly branch: string;
  readonly loop: string;
}

export interface LoopRow extends LoopWorkObject, LoopLimitsObject {
  readonly id: string;
}

const COLUMNS = `id, coalesce(cap, ${DEFAULT_LOOP_LIMITS.cap}) AS cap,
  coalesce(no_progress_limit, ${DEFAULT_LOOP_LIMITS.no_progress_limit}) AS no_progress_limit,
  failing_signature, diff_hash, unchanged, perdure_instant(measured_at) AS measured_at`;

/** The loop, or undefined when nobody has used it yet. @throws DomainError `not_found` for the project */
export async function findLoop(
  tx: Transaction,
  { project, branch, loop }: LoopReference,
): Promise<LoopRow | undefined> {
  const { id } = await requireProject(tx, project);
  return tx.first<LoopRow>(
    `SELECT ${COLUMNS} FROM loop WHERE workspace_id = $1 AND project_id = $2 AND branch = $3 AND name = $4`,
    [tx.workspaceId, id, branch, loop],
  );
}

/** The loop, made when it is new, locked to the commit when it is going to be written. @throws DomainError `not_found` */
export async function ensureLoop(
  tx: Transaction,
  reference: LoopReference,
  { newId, lock }: { newId: () => string; lock: boolean },
): Promise<LoopRow> {
  const { id: projectId } = await requireProject(tx, reference.project);
  const key = [tx.workspaceId, projectId, reference.branch, reference.loop];
  const select = `SELECT ${COLUMNS} FROM loop WHERE workspace_id = $1 AND project_id = $2 AND branch = $3 AND name = $4
    ${lock ? 'FOR NO KEY UPDATE' : ''}`;
  const known = await tx.first<LoopRow>(select, key);
  if (known !== undefined) return known;
  await tx.run(
    `INSERT INTO loop (workspace_id, project_id, branch, name, id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (workspace_id, project_id, branch, name) DO NOTHING`,
    [...key, newId()],
  );
  const made = await tx.first<LoopRow>(select, key);
  if (made === undefined) throw new Error('a loop cannot be read in the transaction that made it');
  return made;
}

/** The run of a session, or without one the run that called last. */
export async function findRun(tx: Transaction, loop: LoopRow, sessionId?: string): Promise<LoopRunObject | null> {
  const row = await tx.first<Omit<LoopRunObject, 'cap'>>(
    `SELECT session_id, bash_calls, perdure_instant(started_at) AS started_at FROM loop_run
     WHERE workspace_id = $1 AND loop_id = $2 AND ($3::text IS NULL OR session_id = $3)
     ORDER BY last_called_at DESC, session_id LIMIT 1`,
    [tx.workspaceId, loop.id, sessionId ?? null],
  );
  return row === undefined ? null : { ...row, cap: loop.cap };
}

export const workOf = ({ failing_signature, diff_hash, unchanged, measured_at }: LoopWorkObject): LoopWorkObject => ({
  failing_signature,
  diff_hash,
  unchanged,
  measured_at,
});
