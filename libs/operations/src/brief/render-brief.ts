import type { BriefDecision, BriefLoop, BriefSections, BriefSession } from '@perdure/contracts';
import { cutText, estimateTokens } from './tokens.js';

/** One thing that can stand in a brief, with what it costs and where it belongs. */
export interface BriefEntry {
  readonly section: keyof BriefSections;
  readonly heading: string;
  readonly markdown: string;
}

/** Stored text is put on lines of its own behind `> `: no line of it can look like a heading or an item of ours. */
const quoted = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029\v\f]/)
    .map((line) => `  > ${line}`)
    .join('\n');

/** Stored text inside a line of ours: one line, in quotation marks that it cannot close. */
const inline = (text: string): string => JSON.stringify(text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim());

export function sessionEntry(session: BriefSession): BriefEntry {
  const { id, actor, computer, branch, status, intent, last_pinged_at: pinged } = session;
  const where = `${inline(actor.name)} on ${inline(computer)}, branch ${inline(branch)}`;
  const head = `- ${id} (${status}) ${where}, last ping ${pinged.slice(0, 16)}Z`;
  const about = intent === null ? '' : `, intent ${inline(cutText(intent, 120))}`;
  const lead = session.lead_markdown === '' ? '' : `\n${quoted(session.lead_markdown)}`;
  return { section: 'sessions', heading: 'Build sessions', markdown: `${head}${about}${lead}` };
}

const DECISION_HEADINGS: Readonly<Record<BriefDecision['kind'], readonly [keyof BriefSections, string]>> = {
  constraint: ['constraints', 'Constraints'],
  decision: ['decisions', 'Decisions'],
  dead_end: ['dead_ends', 'Dead ends (tried and ruled out)'],
  preference: ['preferences', 'Preferences'],
};

export function decisionEntry(decision: BriefDecision): BriefEntry {
  const [section, heading] = DECISION_HEADINGS[decision.kind];
  const marks = [
    decision.changes_public_contract ? 'changes a public contract' : '',
    decision.stale_commits.length > 0
      ? `stale since ${decision.stale_commits.map((sha) => sha.slice(0, 8)).join(', ')}`
      : '',
    decision.superseded_by_decision_id === null ? '' : `superseded by ${decision.superseded_by_decision_id}`,
  ].filter((mark) => mark !== '');
  const tail = marks.length === 0 ? '' : ` (${marks.join('; ')})`;
  const markdown = `- ${decision.id} ${decision.decided_on} ${inline(cutText(decision.title, 160))}${tail}`;
  return { section, heading, markdown };
}

export function backlogEntry(counts: NonNullable<BriefSections['backlog']>): BriefEntry {
  const parts = Object.entries(counts).map(([status, count]) => `${status} ${count}`);
  return { section: 'backlog', heading: 'Backlog', markdown: `- ${parts.join(', ')}` };
}

export function loopEntry({ loop, branch, work, no_progress: stuck, limits }: BriefLoop): BriefEntry {
  const state = work.failing_signature === null ? 'tests pass' : `fails: ${inline(work.failing_signature)}`;
  const verdict = stuck ? ', NO PROGRESS' : '';
  const markdown = `- ${inline(loop)} on ${inline(branch)}: ${state}, unchanged ${work.unchanged} of ${limits.no_progress_limit}${verdict}`;
  return { section: 'loops', heading: 'Loops', markdown };
}

export interface OmittedLine {
  readonly section: string;
  readonly count: number;
  readonly operation: string;
}

const omittedLine = ({ section, count, operation }: OmittedLine): string =>
  `- ${count} more of ${section}: ${operation}`;

/** The brief as markdown: entries in their order, under the headings of their sections, then what was left out. */
export function renderBrief(title: string, entries: readonly BriefEntry[], omitted: readonly OmittedLine[]): string {
  const lines = [title];
  let heading = '';
  for (const entry of entries) {
    if (entry.heading !== heading) lines.push(`## ${entry.heading}`);
    heading = entry.heading;
    lines.push(entry.markdown);
  }
  if (omitted.length > 0) lines.push('## Not shown', ...omitted.map(omittedLine));
  return `${lines.join('\n')}\n`;
}

export const briefTokens = (title: string, entries: readonly BriefEntry[], omitted: readonly OmittedLine[]): number =>
  estimateTokens(renderBrief(title, entries, omitted));
