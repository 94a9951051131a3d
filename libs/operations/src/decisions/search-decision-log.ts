import { catalogue, type OutputOf } from '@perdure/contracts';
import {
  Conditions,
  DECISION_FROM,
  LISTED_DECISION_COLUMNS,
  rankedDecisions,
  readSearchTerms,
  type Transaction,
} from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { listPage } from '../paging/list-page.js';
import { requireProject } from '../projects/find-project.js';
import { highlight } from './highlight.js';

const contract = catalogue.decisions.searchDecisionLog;
type Found = OutputOf<typeof contract>['items'][number];

export const searchDecisionLogHandler = implement(contract, async ({ tx, input }) => {
  const project = input.project === undefined ? undefined : await requireProject(tx, input.project);
  const page = await listPage(
    { operation: contract.name, workspaceId: tx.workspaceId, input },
    {
      // By rank, so a page begins where the last one ended: an entry appended meanwhile may shift it by one.
      read: async (after, limit) => {
        const offset = after === null ? 0 : Number(after[0]);
        const found = await search(tx, { query: input.query, projectId: project?.id, offset, limit });
        return found.map((decision, index) => ({ decision, next: offset + index + 1 }));
      },
      keyOf: ({ next }) => [next],
    },
  );
  return { ...page, items: page.items.map(({ decision }) => decision) };
});

async function search(
  tx: Transaction,
  { query, projectId, offset, limit }: { query: string; projectId: string | undefined; offset: number; limit: number },
): Promise<Found[]> {
  const where = new Conditions(tx.workspaceId);
  const ranked = rankedDecisions(where, query);
  where.and((place) => `d.project_id = ${place}`, projectId);
  const rows = await tx.rows<Omit<Found, 'highlights'> & { rationale_markdown: string }>(
    `SELECT ${LISTED_DECISION_COLUMNS}, d.rationale_markdown, page.rank ${DECISION_FROM}
     JOIN (${ranked}${where.sql} ORDER BY rank DESC, d.appended_at DESC, d.id DESC
           LIMIT ${where.place(limit)} OFFSET ${where.place(offset)}) page ON page.id = d.id
     WHERE d.workspace_id = $1 ORDER BY page.rank DESC, d.appended_at DESC, d.id DESC`,
    where.parameters,
  );
  const { terms, whole } = readSearchTerms(query);
  const shown = whole === null ? terms : [whole, ...terms];
  return rows.map(({ rationale_markdown: rationale, ...row }) => ({
    ...row,
    highlights: [
      { field: 'title' as const, text: highlight(row.title, shown) },
      { field: 'rationale_markdown' as const, text: highlight(rationale, shown) },
    ].flatMap(({ field, text }) => (text === null ? [] : [{ field, text }])),
  }));
}
