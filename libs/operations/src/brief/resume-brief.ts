import { type BriefSections, catalogue, type ProjectObject } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { requireProject } from '../projects/find-project.js';
import { readSince, takeCursor } from './brief-cursor.js';
import { fitBrief } from './fit-brief.js';
import { planBrief } from './plan-brief.js';
import { readBriefRows } from './read-brief.js';
import { type BriefEntry, DATA_LINE, renderBrief } from './render-brief.js';

const DEFAULT_BUDGET = 1_000;

export const resumeBriefHandler = implement(catalogue.sessions.resumeBrief, async ({ tx, input }) => {
  const project = await requireProject(tx, input.project);
  // The cursor is taken before anything is read: what commits in between is reported twice rather than never.
  const cursor = await takeCursor(tx, project.id);
  const since = await readSince(tx, project.id, input.since);
  const { computer, branch } = input;
  const rows = await readBriefRows(tx, { projectId: project.id, computer, branch, since });
  const intro = [titleOf(project, since), DATA_LINE];
  const budget = input.token_budget ?? DEFAULT_BUDGET;
  const { candidates, totals } = planBrief(rows, input);
  const { entries, omitted } = fitBrief({ intro, candidates, totals, budget });
  const unchanged = since !== null && candidates.length === 0;
  return {
    // Asked for again and again: the whole answer is to cost hardly anything (S16).
    brief_markdown: unchanged ? 'Nothing changed.\n' : renderBrief(intro, entries, omitted),
    sections: sectionsOf(entries, rows.backlog),
    omitted: [...omitted],
    cursor,
  };
});

const titleOf = ({ slug }: ProjectObject, since: string | null): string =>
  since === null ? `# Brief of ${slug}` : `# Changes of ${slug} since the last brief`;

/** The typed form holds what the markdown shows, in the same length: one budget for both. */
function sectionsOf(entries: readonly BriefEntry[], backlog: BriefSections['backlog']): BriefSections {
  const decisionsIn = (section: BriefEntry['section']) =>
    entries.flatMap((entry) => ('decision' in entry && entry.section === section ? [entry.decision] : []));
  return {
    sessions: entries.flatMap((entry) => ('session' in entry ? [entry.session] : [])),
    constraints: decisionsIn('constraints'),
    decisions: decisionsIn('decisions'),
    dead_ends: decisionsIn('dead_ends'),
    preferences: decisionsIn('preferences'),
    backlog,
    loops: entries.flatMap((entry) => ('loop' in entry ? [entry.loop] : [])),
  };
}
