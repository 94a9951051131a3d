import type { BriefSections } from '@perdure/contracts';
import { type BriefEntry, briefTokens, type OmittedLine } from './render-brief.js';

export interface Omitted extends OmittedLine {
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A candidate: an entry, and what it says when it is left out. */
export interface Candidate {
  readonly entry: BriefEntry;
  /** Smaller forms of the same entry, largest first: a lead may be 32,000 characters. */
  readonly shorter: readonly BriefEntry[];
}

export interface FittedBrief {
  readonly entries: readonly BriefEntry[];
  readonly omitted: readonly Omitted[];
}

interface Plan {
  readonly title: string;
  readonly candidates: readonly Candidate[];
  /** How many there are of each section, whether they were read or not, and the call for the rest. */
  readonly totals: readonly Omitted[];
  readonly budget: number;
}

/**
 * Takes candidates in their order of usefulness as long as the whole brief, with the lines that say what is left out,
 * stays within the budget. Deterministic: the same rows give the same brief.
 */
export function fitBrief({ title, candidates, totals, budget }: Plan): FittedBrief {
  let entries: BriefEntry[] = [];
  for (const { entry, shorter } of candidates) {
    const fitting = [entry, ...shorter].find(
      (form) => briefTokens(title, inOrder([...entries, form]), omittedBy([...entries, form], totals)) <= budget,
    );
    if (fitting !== undefined) entries = [...entries, fitting];
  }
  return { entries: inOrder(entries), omitted: omittedBy(entries, totals) };
}

function omittedBy(entries: readonly BriefEntry[], totals: readonly Omitted[]): Omitted[] {
  return totals
    .map((total) => ({
      ...total,
      count: total.count - entries.filter((entry) => entry.section === total.section).length,
    }))
    .filter((total) => total.count > 0);
}

/** Sections in the order in which a session reads them, whatever the order in which entries were taken. */
const SECTION_ORDER: readonly (keyof BriefSections)[] = [
  'sessions',
  'loops',
  'constraints',
  'decisions',
  'dead_ends',
  'preferences',
  'backlog',
];

const inOrder = (entries: readonly BriefEntry[]): BriefEntry[] =>
  entries.toSorted((a, b) => SECTION_ORDER.indexOf(a.section) - SECTION_ORDER.indexOf(b.section));
