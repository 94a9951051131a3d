import type { BriefSections } from '@perdure/contracts';
import { type BriefEntry, headingLine, type OmittedLine, omittedLines } from './render-brief.js';
import { tokensOfBytes } from './tokens.js';

export interface Omitted extends OmittedLine {
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What may stand in a brief. A text of any length (a lead) may be shortened to fit. */
export interface Candidate {
  readonly entry: BriefEntry;
  readonly shortened?: {
    /** The entry with at most so many code points of the text, none included. */
    readonly to: (length: number) => BriefEntry;
    /** Code points of the whole text. */
    readonly length: number;
    /** Share of the budget that the whole entry may take, so that one long text leaves room for the rest. */
    readonly share: number;
  };
}

export interface FittedBrief {
  /** In the order in which a session reads them. */
  readonly entries: readonly BriefEntry[];
  readonly omitted: readonly Omitted[];
}

interface Plan {
  readonly intro: readonly string[];
  /** Most useful first. */
  readonly candidates: readonly Candidate[];
  /** How many there are of each section, whether they were read or not, and the call for the rest. */
  readonly totals: readonly Omitted[];
  readonly budget: number;
}

/**
 * Takes candidates in their order of usefulness as long as the whole brief, with the lines that say what is left out,
 * stays within the budget. Deterministic: the same rows give the same brief. A text is cut to the very room there is, so
 * that a full brief is as large as its budget whatever the number of rows.
 */
export function fitBrief({ intro, candidates, totals, budget }: Plan): FittedBrief {
  const taken = new TakenEntries(intro, totals);
  for (const candidate of candidates) {
    const form = fittingForm(candidate, budget, (entry) => taken.tokensWith(entry) <= budget);
    if (form !== null) taken.add(form);
  }
  return { entries: inOrder(taken.entries), omitted: taken.omitted() };
}

function fittingForm(
  { entry, shortened }: Candidate,
  budget: number,
  fits: (entry: BriefEntry) => boolean,
): BriefEntry | null {
  if (shortened === undefined) return fits(entry) ? entry : null;
  const room = budget * shortened.share;
  const fitsRoom = (form: BriefEntry) => tokensOfBytes(bytesOf(form.markdown)) <= room && fits(form);
  if (fitsRoom(entry)) return entry;
  let [longest, tooLong] = [0, shortened.length];
  while (tooLong - longest > 1) {
    const middle = (longest + tooLong) >> 1;
    if (fitsRoom(shortened.to(middle))) longest = middle;
    else tooLong = middle;
  }
  const form = shortened.to(longest);
  return fits(form) ? form : null;
}

/** What was taken so far, with its size kept up: lines are added, never looked at again. */
class TakenEntries {
  readonly entries: BriefEntry[] = [];
  private bytes: number;
  private readonly shown = new Map<string, number>();

  constructor(
    intro: readonly string[],
    private readonly totals: readonly Omitted[],
  ) {
    this.bytes = bytesOfLines(intro);
  }

  /** Tokens of the whole brief, if this entry were in it. */
  tokensWith(entry: BriefEntry): number {
    const omitted = omittedLines(this.omitted(entry.section));
    return tokensOfBytes(this.bytes + this.bytesAdded(entry) + bytesOfLines(omitted));
  }

  add(entry: BriefEntry): void {
    this.bytes += this.bytesAdded(entry);
    this.shown.set(entry.section, (this.shown.get(entry.section) ?? 0) + 1);
    this.entries.push(entry);
  }

  /** @param oneMore a section of which one more is shown */
  omitted(oneMore?: string): Omitted[] {
    return this.totals
      .map((total) => {
        const shown = (this.shown.get(total.section) ?? 0) + (total.section === oneMore ? 1 : 0);
        return { ...total, count: total.count - shown };
      })
      .filter(({ count }) => count > 0);
  }

  private bytesAdded(entry: BriefEntry): number {
    const lines = this.shown.has(entry.section) ? [entry.markdown] : [headingLine(entry), entry.markdown];
    return bytesOfLines(lines);
  }
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

const bytesOfLines = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + bytesOf(line) + 1, 0);

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
