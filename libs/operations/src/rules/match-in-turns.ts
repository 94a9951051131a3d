import { setImmediate as others } from 'node:timers/promises';
import { DomainError } from '@perdure/contracts';
import {
  type Change,
  type MatchAnswer,
  type MatchOptions,
  SearchTooLong,
  type SteppingMatcher,
} from '@perdure/rule-match';

/**
 * Instructions times UTF-16 units of one search: some 0.5 s at worst. A pattern of 150 instructions, which is a long one,
 * may search 100,000 characters, the 15 of an ordinary one a million.
 */
const SEARCH_LIMIT = 15_000_000;

/** The others have their turn after so long. */
const TURN_MS = 20;

/** All searches of one query; thousands of ordinary patterns take a tenth of that. */
const QUERY_MS = 5_000;

/**
 * Matches a change without holding the event loop for longer than one search takes: whatever rules and text a workspace
 * has, all others are served in between.
 *
 * @throws DomainError `too_large` when the code is too long for a pattern, or for all of them together
 */
export async function matchInTurns(
  matcher: SteppingMatcher,
  change: Change,
  options: MatchOptions,
): Promise<MatchAnswer> {
  const steps = matcher.steps(change, { ...options, searchLimit: SEARCH_LIMIT });
  let turnBegan = performance.now();
  let spent = 0;
  for (;;) {
    const step = nextOf(steps);
    if (step.done === true) return step.value;
    const took = performance.now() - turnBegan;
    if (took < TURN_MS) continue;
    spent += took;
    if (spent > QUERY_MS) throw tooLarge('The change takes too long to compare with the rules of this workspace.', {});
    await others();
    turnBegan = performance.now();
  }
}

function nextOf(steps: Generator<void, MatchAnswer>): IteratorResult<void, MatchAnswer> {
  try {
    return steps.next();
  } catch (error) {
    if (!(error instanceof SearchTooLong)) throw error;
    throw tooLarge(`The code is too long for a code pattern of rule ${error.ruleId}.`, {
      field: 'code',
      rule_id: error.ruleId,
      longest: error.longest,
    });
  }
}

const tooLarge = (message: string, details: Record<string, string | number>) =>
  new DomainError(
    'too_large',
    message,
    details,
    'Send the lines that the change touches, or ask for fewer files at once.',
  );
