import { catalogue } from '@perdure/contracts';
import { listDecisions } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { listPage } from '../paging/list-page.js';
import { requireProject } from '../projects/find-project.js';
import { requireSessionId } from '../sessions/find-build-session.js';

const contract = catalogue.decisions.listDecisionLog;

export const listDecisionLogHandler = implement(contract, async ({ tx, input }) => {
  const project = input.project === undefined ? undefined : await requireProject(tx, input.project);
  if (input.build_session_id !== undefined) await requireSessionId(tx, input.build_session_id);
  return listPage(
    { operation: contract.name, workspaceId: tx.workspaceId, input },
    {
      read: (after, limit) =>
        listDecisions(tx, {
          projectId: project?.id,
          buildSessionId: input.build_session_id,
          kind: input.kind,
          changesPublicContract: input.changes_public_contract,
          tag: input.tag,
          path: input.path,
          decidedFrom: input.decided_from,
          decidedTo: input.decided_to,
          includeSuperseded: input.include_superseded ?? false,
          after: after === null ? undefined : { appendedAt: String(after[0]), id: String(after[1]) },
          limit,
        }),
      keyOf: (decision) => [decision.appended_at, decision.id],
    },
  );
});
