import { CoalescedLoop, withConnection, type ProcessContext } from '@perdure/service';
import { purgeDueWorkspaces } from '@perdure/store';
import type { Pool } from 'pg';

/** A deletion waits for days; whoever asked for it without grace sees it happen all the same. */
const SWEEP_MS = 5_000;

interface PurgeOptions {
  readonly pool: Pool;
  readonly logger: ProcessContext['logger'];
  readonly sweepMs?: number;
}

/** Deletes workspaces past their grace, on a timer of its own: linking does not wait for a deletion of many rows. */
export function createPurgeSweep({ pool, logger, sweepMs = SWEEP_MS }: PurgeOptions): CoalescedLoop {
  return new CoalescedLoop({
    pass: async () => {
      const purged = await withConnection(
        () => pool.connect(),
        (client) => purgeDueWorkspaces(client, () => new Date().toISOString()),
      );
      for (const { workspaceId, size } of purged) {
        logger.info({ workspace_id: workspaceId, chain_size: size }, 'a workspace was deleted');
      }
      return false;
    },
    sweepMs,
    onError: (error) => logger.error({ err: error }, 'a workspace could not be deleted; trying again'),
  });
}
