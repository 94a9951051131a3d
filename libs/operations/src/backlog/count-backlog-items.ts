import { BACKLOG_PRIORITIES, BACKLOG_STATUSES, catalogue } from '@perdure/contracts';
import { Conditions } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireProject } from '../projects/find-project.js';

interface CountRow {
  readonly status: string;
  readonly priority: string;
  readonly count: number;
}

export const countBacklogItemsHandler = implement(catalogue.backlog.countBacklogItems, async ({ tx, input }) => {
  const project = input.project === undefined ? undefined : await requireProject(tx, input.project);
  const where = new Conditions(tx.workspaceId).and((place) => `project_id = ${place}`, project?.id);
  const rows = await tx.rows<CountRow>(
    `SELECT status, priority, count(*)::int AS count FROM backlog_item WHERE workspace_id = $1${where.sql} GROUP BY 1, 2`,
    where.parameters,
  );
  const sumOf = (matches: (row: CountRow) => boolean) => rows.filter(matches).reduce((sum, row) => sum + row.count, 0);
  return {
    by_status: recordOf(BACKLOG_STATUSES, (status) => sumOf((row) => row.status === status)),
    by_priority: recordOf(BACKLOG_PRIORITIES, (priority) => sumOf((row) => row.priority === priority)),
  };
});

function recordOf<Key extends string>(keys: readonly Key[], valueOf: (key: Key) => number): Record<Key, number> {
  // Every key of the list is given a value, which Object.fromEntries cannot say in its type.
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, number>;
}
