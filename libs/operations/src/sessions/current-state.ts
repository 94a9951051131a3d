import { codePointLength, DomainError, LIMITS } from '@perdure/contracts';

const PREFIX = '**Earlier:** ';
/** A demoted lead begins on the line after an empty one; the current lead runs up to there (S8). */
const BOUNDARY = /\r?\n\r?\n(?=\*\*Earlier:\*\* )/g;
const SEPARATOR = '\n\n';

export interface PrependedState {
  readonly state: string;
  /** False when the lead was the current one already: a safe retry. */
  readonly changed: boolean;
  readonly droppedLeads: number;
}

/**
 * S8, S10: the new lead on top, the prior lead demoted with the prefix, which it never gets twice.
 *
 * @throws DomainError `state_too_large` with size and cap in code points
 */
export function prependLead(state: string, lead: string, onOverflow: 'reject' | 'drop_oldest'): PrependedState {
  assertFits(lead);
  if (isCurrentLead(state, lead)) return { state, changed: false, droppedLeads: 0 };
  if (state === '') return { state: lead, changed: true, droppedLeads: 0 };
  const whole = lead + SEPARATOR + demote(state);
  if (codePointLength(whole) <= LIMITS.markdown) return { state: whole, changed: true, droppedLeads: 0 };
  if (onOverflow === 'reject') assertFits(whole);
  return { changed: true, ...dropOldest(lead, demote(state)) };
}

/** @throws DomainError `state_too_large` when the text is over the cap */
export function assertFits(text: string): void {
  const size = codePointLength(text);
  if (size <= LIMITS.markdown) return;
  throw new DomainError(
    'state_too_large',
    `The current state would have ${size} characters; the cap is ${LIMITS.markdown}.`,
    {
      size,
      cap: LIMITS.markdown,
    },
  );
}

function isCurrentLead(state: string, lead: string): boolean {
  return state === lead || state.startsWith(lead + SEPARATOR + PREFIX) || currentLead(state) === lead;
}

function currentLead(state: string): string {
  const boundary = state.search(BOUNDARY);
  return boundary < 0 ? state : state.slice(0, boundary);
}

const demote = (state: string): string => (state.startsWith(PREFIX) ? state : PREFIX + state);

/** Drops whole demoted leads from the bottom until the rest fits; the new lead alone fits, so this ends. */
function dropOldest(lead: string, demoted: string): { state: string; droppedLeads: number } {
  const starts = [0, ...[...demoted.matchAll(BOUNDARY)].map((match) => match.index)];
  let droppedLeads = 0;
  for (const end of starts.reverse()) {
    droppedLeads += 1;
    const kept = end === 0 ? lead : lead + SEPARATOR + demoted.slice(0, end);
    if (codePointLength(kept) <= LIMITS.markdown) return { state: kept, droppedLeads };
  }
  return { state: lead, droppedLeads };
}
