import { catalogue, type DecisionObject } from '@perdure/contracts';
import { readDecisions, type Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireProject } from '../projects/find-project.js';
import { toMadrFiles } from './madr.js';

/** Entries read at once. */
const PAGE = 500;

export const exportDecisionLogHandler = implement(catalogue.decisions.exportDecisionLog, async ({ tx, input }) => {
  const project = input.project === undefined ? undefined : await requireProject(tx, input.project);
  const decisions = await allDecisions(tx, project?.id);
  if (input.format === 'madr') return { files: toMadrFiles(decisions) };
  const lines = decisions.map((decision) => `${JSON.stringify(decision)}\n`);
  return { files: [{ path: 'decisions.ndjson', content: lines.join('') }] };
});

async function allDecisions(tx: Transaction, projectId: string | undefined): Promise<DecisionObject[]> {
  const decisions: DecisionObject[] = [];
  for (;;) {
    const page = await readDecisions(tx, { projectId, afterId: decisions.at(-1)?.id, limit: PAGE });
    decisions.push(...page);
    if (page.length < PAGE) return decisions;
  }
}
