import { catalogue } from '@perdure/contracts';
import { listBuildSessions } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { charactersOf, WHOLE_SESSIONS_BUDGET_CHARACTERS } from '../paging/cut-page.js';
import { listPage } from '../paging/list-page.js';
import { requireProject } from '../projects/find-project.js';

const contract = catalogue.sessions.listBuildSessions;

export const listBuildSessionsHandler = implement(contract, async ({ tx, input, now }) => {
  const project = input.project === undefined ? undefined : await requireProject(tx, input.project);
  return listPage(
    { operation: contract.name, workspaceId: tx.workspaceId, input },
    {
      read: (after, limit) =>
        listBuildSessions(tx, {
          projectId: project?.id,
          status: input.status,
          actor: input.actor,
          branch: input.branch,
          computer: input.computer,
          search: input.search,
          pingedBefore: minutesBefore(now, input.stale_for_minutes),
          after: after === null ? undefined : { startedAt: String(after[0]), id: String(after[1]) },
          limit,
        }),
      keyOf: (session) => [session.started_at, session.id],
      budget: { size: WHOLE_SESSIONS_BUDGET_CHARACTERS, measure: charactersOf },
    },
  );
});

const minutesBefore = (now: string, minutes: number | undefined): string | undefined =>
  minutes === undefined ? undefined : new Date(Date.parse(now) - minutes * 60_000).toISOString();
