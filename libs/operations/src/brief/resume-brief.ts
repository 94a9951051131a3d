import { type BriefSections, type BriefSession, catalogue, type InputOf, type ProjectObject } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireProject } from '../projects/find-project.js';
import { readSince, takeCursor } from './brief-cursor.js';
import { type Candidate, fitBrief, type Omitted } from './fit-brief.js';
import { type BriefScope, readBacklog, readDecisionsOf, readLoops, readSessions } from './read-brief.js';
import { backlogEntry, decisionEntry, loopEntry, renderBrief, sessionEntry } from './render-brief.js';
import { cutText } from './tokens.js';

type Input = InputOf<typeof catalogue.sessions.resumeBrief>;

const DEFAULT_BUDGET = 1_000;
/** Shorter forms of a lead, in code points, when the whole one does not fit. */
const LEAD_LENGTHS = [1_200, 500, 200, 80] as const;

export const resumeBriefHandler = implement(catalogue.sessions.resumeBrief, async ({ tx, input }) => {
  const project = await requireProject(tx, input.project);
  // The cursor is taken before anything is read: what commits in between is reported twice rather than never.
  const cursor = await takeCursor(tx, project.id);
  const since = await readSince(tx, project.id, input.since);
  const read = await readAll(tx, { projectId: project.id, computer: input.computer, branch: input.branch, since });
  const title = titleOf(project, since);
  const { candidates, totals } = planOf(read, input);
  const { entries, omitted } = fitBrief({ title, candidates, totals, budget: input.token_budget ?? DEFAULT_BUDGET });
  const unchanged = since !== null && candidates.length === 0;
  return {
    brief_markdown: unchanged ? `${title}\nNothing changed.\n` : renderBrief(title, entries, omitted),
    sections: read.sections(new Set(entries.map((entry) => entry.markdown))),
    omitted: [...omitted],
    cursor,
  };
});

const titleOf = ({ slug }: ProjectObject, since: string | null): string =>
  since === null ? `# Brief of ${slug}` : `# Changes of ${slug} since the last brief`;

type Read = Awaited<ReturnType<typeof readAll>>;

async function readAll(tx: Transaction, scope: BriefScope) {
  const sessions = await readSessions(tx, scope);
  const loops = await readLoops(tx, scope);
  const constraints = await readDecisionsOf(tx, scope, 'constraint');
  const decisions = await readDecisionsOf(tx, scope, 'decision');
  const deadEnds = await readDecisionsOf(tx, scope, 'dead_end');
  const preferences = await readDecisionsOf(tx, scope, 'preference');
  const backlog = await readBacklog(tx, scope);
  /** The typed form holds what the markdown shows: one budget for both. */
  const sections = (shown: ReadonlySet<string>): BriefSections => ({
    sessions: sessions.items.map((session) => formOf(session, shown)).filter((session) => session !== null),
    constraints: constraints.items.filter((item) => shown.has(decisionEntry(item).markdown)),
    decisions: decisions.items.filter((item) => shown.has(decisionEntry(item).markdown)),
    dead_ends: deadEnds.items.filter((item) => shown.has(decisionEntry(item).markdown)),
    preferences: preferences.items.filter((item) => shown.has(decisionEntry(item).markdown)),
    backlog,
    loops: loops.items.filter((item) => shown.has(loopEntry(item).markdown)),
  });
  return { sessions, loops, constraints, decisions, deadEnds, preferences, backlog, sections };
}

/** The session in the form in which it was shown, or null. */
function formOf(session: BriefSession, shown: ReadonlySet<string>): BriefSession | null {
  return formsOf(session).find((form) => shown.has(sessionEntry(form).markdown)) ?? null;
}

/** The current lead (all above the first demoted one), whole and ever shorter. */
function formsOf(session: BriefSession): BriefSession[] {
  const lead = session.lead_markdown.split(/\r?\n\r?\n(?=\*\*Earlier:\*\* )/)[0] ?? '';
  const leads = [lead, ...LEAD_LENGTHS.map((length) => cutText(lead, length)), ''];
  return [...new Set(leads)].map((text) => ({ ...session, lead_markdown: text }));
}

/** What a brief may hold, most useful first: where the work stands, what holds, then everything else. */
function planOf(read: Read, input: Input): { candidates: Candidate[]; totals: Omitted[] } {
  const sessions = read.sessions.items.map((session) => {
    const [entry, ...shorter] = formsOf(session).map(sessionEntry);
    return entry === undefined ? [] : [{ entry, shorter }];
  });
  const plain = (entry: Candidate['entry']): Candidate => ({ entry, shorter: [] });
  const [own = [], ...others] = sessions;
  const candidates = [
    ...own,
    ...(read.backlog === null ? [] : [plain(backlogEntry(read.backlog))]),
    ...read.loops.items.slice(0, 1).map((item) => plain(loopEntry(item))),
    ...read.constraints.items.map((item) => plain(decisionEntry(item))),
    ...read.decisions.items.map((item) => plain(decisionEntry(item))),
    ...others.flat(),
    ...read.deadEnds.items.map((item) => plain(decisionEntry(item))),
    ...read.preferences.items.map((item) => plain(decisionEntry(item))),
    ...read.loops.items.slice(1).map((item) => plain(loopEntry(item))),
  ];
  return { candidates, totals: totalsOf(read, input.project) };
}

function totalsOf(read: Read, project: string): Omitted[] {
  const decisions = (section: string, kind: string, count: number): Omitted => ({
    section,
    count,
    operation: 'list_decision_log',
    arguments: { project, kind },
  });
  return [
    {
      section: 'sessions',
      count: read.sessions.total,
      operation: 'list_build_sessions',
      arguments: { project, status: 'active' },
    },
    { section: 'loops', count: read.loops.total, operation: 'get_loop_state', arguments: { project } },
    decisions('constraints', 'constraint', read.constraints.total),
    decisions('decisions', 'decision', read.decisions.total),
    decisions('dead_ends', 'dead_end', read.deadEnds.total),
    decisions('preferences', 'preference', read.preferences.total),
    {
      section: 'backlog',
      count: read.backlog === null ? 0 : 1,
      operation: 'count_backlog_items',
      arguments: { project },
    },
  ];
}
