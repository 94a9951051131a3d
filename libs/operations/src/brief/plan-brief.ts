import { type BriefSession, type catalogue, codePointLength, type InputOf } from '@perdure/contracts';
import type { Candidate, Omitted } from './fit-brief.js';
import type { BriefRows } from './read-brief.js';
import { backlogEntry, type BriefEntry, decisionEntry, loopEntry, sessionEntry } from './render-brief.js';
import { cutText } from './tokens.js';

type Input = InputOf<typeof catalogue.sessions.resumeBrief>;

/** Of the budget, at most: a session's own lead is what it needs most; of the others a few words do. */
const OWN_LEAD_SHARE = 0.4;
const OTHER_LEAD_SHARE = 0.1;
/** As the contract has it. */
const LARGEST_BUDGET = 32_000;

/** What a brief may hold, most useful first: where the work stands, what holds, then everything else. */
export function planBrief(rows: BriefRows, input: Input): { candidates: Candidate[]; totals: Omitted[] } {
  const [own, ...others] = rows.sessions.items;
  const [firstLoop, ...otherLoops] = rows.loops.items.map((loop) => plain(loopEntry(loop)));
  const decisions = ({ items }: BriefRows['decisions']) => items.map((decision) => plain(decisionEntry(decision)));
  const candidates = [
    own === undefined ? [] : sessionCandidate(own, OWN_LEAD_SHARE),
    rows.backlog === null ? [] : plain(backlogEntry(rows.backlog)),
    firstLoop ?? [],
    decisions(rows.constraints),
    decisions(rows.decisions),
    others.map((session) => sessionCandidate(session, OTHER_LEAD_SHARE)),
    decisions(rows.deadEnds),
    decisions(rows.preferences),
    otherLoops,
  ].flat();
  return { candidates, totals: totalsOf(rows, input.project) };
}

const plain = (entry: BriefEntry): Candidate => ({ entry });

/** The current lead (all above the first demoted one), as long as there is room. */
function sessionCandidate(session: BriefSession, share: number): Candidate {
  const lead = session.lead_markdown.split(/\r?\n\r?\n(?=\*\*Earlier:\*\* )/)[0] ?? '';
  const to = (length: number) => sessionEntry({ ...session, lead_markdown: cutText(lead, length) });
  return {
    entry: sessionEntry({ ...session, lead_markdown: lead }),
    shortened: { to, length: codePointLength(lead), share },
  };
}

function totalsOf(rows: BriefRows, project: string): Omitted[] {
  const decisions = (section: string, kind: string, count: number): Omitted => ({
    section,
    count,
    operation: 'list_decision_log',
    arguments: { project, kind },
  });
  return [
    {
      section: 'sessions',
      count: rows.sessions.total,
      operation: 'list_build_sessions',
      arguments: { project, status: 'active' },
    },
    {
      section: 'loops',
      count: rows.loops.total,
      operation: 'resume_brief',
      arguments: { project, token_budget: LARGEST_BUDGET },
    },
    decisions('constraints', 'constraint', rows.constraints.total),
    decisions('decisions', 'decision', rows.decisions.total),
    decisions('dead_ends', 'dead_end', rows.deadEnds.total),
    decisions('preferences', 'preference', rows.preferences.total),
    {
      section: 'backlog',
      count: rows.backlog === null ? 0 : 1,
      operation: 'count_backlog_items',
      arguments: { project },
    },
  ];
}
