import { diffHashProblem, failingSignatureProblem, sessionIdProblem } from '@perdure/contracts';
import {
  FRESH_STATE,
  NOTHING_MEASURED,
  type LoopFileWarning,
  type LoopState,
  type RunHalf,
  type WorkHalf,
} from './loop-state.js';
import { MAX_PARKED } from './run-halves.js';

type Warn = (code: LoopFileWarning['code'], message: string) => void;
type Rules<Half> = Readonly<Record<keyof Half, (value: unknown) => boolean>>;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown, problemOf: (text: string) => string | null): boolean =>
  typeof value === 'string' && problemOf(value) === null;

const RUN_RULES: Rules<RunHalf> = {
  session_id: (value) => isText(value, sessionIdProblem),
  bash_calls: isCount,
};

const WORK_RULES: Rules<WorkHalf> = {
  failing_signature: (value) => value === null || isText(value, failingSignatureProblem),
  diff_hash: (value) => value === null || isText(value, diffHashProblem),
  unchanged: isCount,
};

/**
 * What the bytes of the file hold. Whatever they are, the answer is a state to go on with: what cannot be used starts
 * fresh, one half at a time, and is warned of (L5). No warning quotes a value of the file.
 */
export function parseLoopState(bytes: Uint8Array, warn: Warn): LoopState {
  const parsed = parseJson(bytes, warn);
  if (parsed === undefined) return FRESH_STATE;
  if (!isRecord(parsed)) {
    warn('foreign', 'it holds no JSON object: starting fresh');
    return FRESH_STATE;
  }
  const { run: runValue, work, parked_runs, ...foreign } = parsed;
  const run = runValue === undefined || runValue === null ? null : halfOf<RunHalf>('run', runValue, RUN_RULES, warn);
  return {
    run,
    work: (work === undefined ? null : workOf(work, warn)) ?? NOTHING_MEASURED,
    parked_runs: (parked_runs === undefined ? [] : parkedOf(parked_runs, warn)).filter(
      (half, index, all) => half.session_id !== run?.session_id && index === firstOf(all, half),
    ),
    foreign: isPrintable(foreign) ? foreign : dropForeign(warn),
  };
}

function parseJson(bytes: Uint8Array, warn: Warn): unknown {
  try {
    // A byte order mark is skipped; bytes that are no UTF-8 throw.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text) as unknown;
  } catch {
    warn('torn', bytes.length === 0 ? 'it is empty: starting fresh' : 'it is no whole JSON: starting fresh');
    return undefined;
  }
}

function workOf(value: unknown, warn: Warn): WorkHalf | null {
  const work = halfOf<WorkHalf>('work', value, WORK_RULES, warn);
  return work && { ...work, diff_hash: work.diff_hash?.toLowerCase() ?? null };
}

function parkedOf(value: unknown, warn: Warn): RunHalf[] {
  if (!Array.isArray(value)) {
    warn('foreign', 'parked_runs is no list: the counts of other sessions start fresh');
    return [];
  }
  // A state that we wrote holds at most so many; a longer list is read no further.
  return value.slice(0, MAX_PARKED).flatMap((item: unknown) => {
    const half = halfOf<RunHalf>('parked run', item, RUN_RULES, warn);
    return half === null ? [] : [half];
  });
}

/** A million brackets can be read, but not printed: that overflows the stack. */
function isPrintable(foreign: unknown): boolean {
  try {
    return JSON.stringify(foreign) !== undefined;
  } catch {
    return false;
  }
}

function dropForeign(warn: Warn): Record<string, unknown> {
  warn('foreign', 'the keys of others are nested too deep to be kept: dropped');
  return {};
}

const firstOf = (halves: readonly RunHalf[], { session_id }: RunHalf): number =>
  halves.findIndex((half) => half.session_id === session_id);

/** The half without keys that are not its own; null when a value of it is missing or wrong. */
function halfOf<Half>(name: string, value: unknown, rules: Rules<Half>, warn: Warn): Half | null {
  if (!isRecord(value)) {
    warn('foreign', `the ${name} half is no object: it starts fresh`);
    return null;
  }
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(rules, key));
  if (unknown.length > 0) warn('unknown_keys', `the ${name} half does not know ${named(unknown)}: dropped`);
  const faults = faultsOf(value, rules);
  if (faults.length > 0) {
    warn('foreign', `the ${name} half has no usable ${named(faults)}: it starts fresh`);
    return null;
  }
  const own = Object.keys(rules).map((key) => [key, value[key]]);
  return Object.fromEntries(own) as Half; // each rule has passed its value, and there is a rule for every key
}

const faultsOf = <Half>(value: Readonly<Record<string, unknown>>, rules: Rules<Half>): string[] =>
  Object.entries<(value: unknown) => boolean>(rules)
    .filter(([key, holds]) => !holds(value[key]))
    .map(([key]) => key);

const SHOWN_KEYS = 5;
const SHOWN_LENGTH = 40;

/** Names from the file may hold anything: only so much of them reaches a terminal, and nothing that steers it. */
function named(keys: readonly string[]): string {
  const shown = keys
    .slice(0, SHOWN_KEYS)
    .map((key) => (key.length > SHOWN_LENGTH ? `${key.slice(0, SHOWN_LENGTH - 1)}…` : key))
    .map((key) => `"${key.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"]/gu, '?')}"`);
  const rest = keys.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
