import { linkEvents, type ChainEntry, type ChainHead } from '@perdure/audit-chain';
import { withConnection } from '@perdure/service';
import type { Pool, PoolClient } from 'pg';
import {
  createMissingHeads,
  deletePending,
  insertEntries,
  insertQuarantined,
  lockHeads,
  moveHeads,
  PendingSetError,
  type QuarantinedEvent,
} from './chain-rows.js';
import { checkEvent } from './check-event.js';
import { findWaitingWorkspaces, readPendingEvents, type PendingEvent } from './pending-events.js';

export interface LinkOptions {
  maxWorkspaces: number;
  maxEvents: number;
  /** The writer's time, RFC 3339 UTC with three fraction digits. */
  clock: () => string;
  /** Look behind this workspace first; empty for the start. */
  after: string;
  /** Workspaces whose batch failed by itself before: they are linked one by one, so that they fail alone. */
  alone: ReadonlySet<string>;
}

export interface LinkResult {
  linked: number;
  quarantined: QuarantinedEvent[];
  /** Workspaces whose rows refuse to be linked, each with the error. Nothing of theirs was changed. */
  failed: { workspaceId: string; error: unknown }[];
  /** The workspaces that were looked at, in turn: the next batch begins behind the last one. */
  looked: string[];
}

type BatchResult = Pick<LinkResult, 'linked' | 'quarantined'>;

/**
 * Links one batch: up to `maxEvents` waiting events of up to `maxWorkspaces` workspaces, in one READ COMMITTED
 * transaction. Safe with any number of writers at once: the head's row lock orders them, and what another holds is
 * left to it. Throws what the database threw when it is out of reach.
 */
export function linkPending(pool: Pool, options: LinkOptions): Promise<LinkResult> {
  return withConnection(
    () => pool.connect(),
    async (client) => {
      const looked = await findWaitingWorkspaces(client, options.after, options.maxWorkspaces);
      const result: LinkResult = { linked: 0, quarantined: [], failed: [], looked };
      if (looked.length === 0) return result;
      await createMissingHeads(client, looked);
      for (const group of groupsOf(looked, options.alone)) await linkGroup(client, group, options, result);
      return result;
    },
  );
}

function groupsOf(workspaceIds: readonly string[], alone: ReadonlySet<string>): string[][] {
  const together = workspaceIds.filter((workspaceId) => !alone.has(workspaceId));
  const apart = workspaceIds.filter((workspaceId) => alone.has(workspaceId)).map((workspaceId) => [workspaceId]);
  return together.length === 0 ? apart : [together, ...apart];
}

/** One transaction for the group; when its rows refuse it, one for each workspace, so that a bad one stops only itself. */
async function linkGroup(
  client: PoolClient,
  group: readonly string[],
  options: LinkOptions,
  result: LinkResult,
): Promise<void> {
  try {
    const { linked, quarantined } = await linkBatch(client, group, options);
    result.linked += linked;
    result.quarantined.push(...quarantined);
  } catch (error) {
    if (!isAboutRows(error)) throw error;
    const [only, ...others] = group;
    if (only !== undefined && others.length === 0) result.failed.push({ workspaceId: only, error });
    else for (const workspaceId of group) await linkGroup(client, [workspaceId], options, result);
  }
}

/**
 * Whether the rows are the trouble and not the server: SQLSTATE classes 22 and 23, or a refusal of the chain itself.
 * Everything else, lost connections first of all, is worth trying again as it is.
 */
function isAboutRows(error: unknown): boolean {
  if (error instanceof PendingSetError || error instanceof TypeError) return true;
  return typeof error === 'object' && error !== null && 'code' in error && /^2[23]...$/.test(String(error.code));
}

async function linkBatch(
  client: PoolClient,
  workspaceIds: readonly string[],
  options: LinkOptions,
): Promise<BatchResult> {
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    const heads = await lockHeads(client, workspaceIds);
    // Only now: read before the lock, this could be a set that another writer has linked meanwhile.
    const pending = await readPendingEvents(
      client,
      heads.map((head) => head.workspaceId),
      options.maxEvents,
    );
    const result = await linkRead(client, heads, pending, options.clock());
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // a lost connection has rolled back already
    throw error;
  }
}

async function linkRead(
  client: PoolClient,
  heads: readonly ChainHead[],
  pending: readonly PendingEvent[],
  now: string,
): Promise<BatchResult> {
  if (pending.length === 0) return { linked: 0, quarantined: [] };
  const quarantined: QuarantinedEvent[] = [];
  const sound: PendingEvent[] = [];
  for (const event of pending) {
    // A pending row that somebody put back: UNIQUE(event_id) would refuse it, and with it the whole batch, for ever.
    if (event.already_linked) continue;
    const reason = checkEvent(event);
    if (reason === null) sound.push(event);
    else quarantined.push({ workspace_id: event.workspace_id, event_id: event.event_id, reason });
  }
  const { entries, moved } = chain(heads, sound, now);
  if (entries.length > 0) await insertEntries(client, entries);
  if (moved.length > 0) await moveHeads(client, moved);
  if (quarantined.length > 0) await insertQuarantined(client, quarantined);
  await deletePending(client, pending);
  return { linked: entries.length, quarantined };
}

/** Pure: the entries behind each head and where the heads then stand. */
function chain(heads: readonly ChainHead[], events: readonly PendingEvent[], now: string) {
  const entries: (ChainEntry & { workspaceId: string })[] = [];
  const moved: ChainHead[] = [];
  for (const head of heads) {
    const own = events.flatMap(({ workspace_id, event_id, event }) =>
      workspace_id === head.workspaceId && event ? [{ eventId: event_id, eventDigest: event.event_digest }] : [],
    );
    if (own.length === 0) continue;
    const linked = linkEvents(head, own, now);
    moved.push(linked.head);
    entries.push(...linked.entries.map((entry) => ({ ...entry, workspaceId: head.workspaceId })));
  }
  return { entries, moved };
}
