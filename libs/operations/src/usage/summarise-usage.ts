import { catalogue, DomainError } from '@perdure/contracts';
import { summariseUsage } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { inKnownZone } from './known-zone.js';

/** A year of days for 25 projects; more is no summary any more. */
const ROW_LIMIT = 10_000;

export const summariseUsageHandler = implement(catalogue.usage.summariseUsage, async ({ tx, input }) => {
  const { from, to, timezone = 'UTC', include_children: includeChildren = true, group_by: groups } = input;
  const { rows, totals } = await inKnownZone(
    summariseUsage(tx, { from, to, timezone, includeChildren }, { groups, limit: ROW_LIMIT }),
  );
  if (rows.length <= ROW_LIMIT) return { rows, totals };
  throw new DomainError(
    'too_large',
    `This summary has more than ${ROW_LIMIT} rows.`,
    { limit: ROW_LIMIT },
    'Choose a shorter range or fewer groups; export_usage has every row.',
  );
});
