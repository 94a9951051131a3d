import { lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  hasNoProgress,
  LOOP_BOUNDS,
  unchangedAfter,
  type LastMeasured,
  type LoopMeasurement,
} from '@perdure/contracts';
import { withFileLock, type HeldLock } from './file-lock.js';
import { loopLimits, wholeNumber, type LoopSettings } from './loop-limits.js';
import {
  FRESH_STATE,
  NOTHING_MEASURED,
  printLoopState,
  type LoopFileWarning,
  type LoopState,
  type RunHalf,
  type WorkHalf,
} from './loop-state.js';
import { parseLoopState } from './parse-loop-state.js';
import { asLoopFileError, LoopFileError, nullWhen } from './refusals.js';
import { enterRun } from './run-halves.js';
import { readStateBytes, replaceStateFile } from './state-bytes.js';
import { refuseUnfit, requireDiffHash, requireMeasurement, requireSessionId, requireSignature } from './text-gate.js';

/** Where the state lives in a checkout. Files beside it that begin with this name are its lock, there for milliseconds. */
export const LOOP_FILE = '.loop/state.json';

interface Warned {
  /** For a person, one line each; the call was carried out. */
  readonly warnings: readonly LoopFileWarning[];
}

export interface LoopFileState extends Warned {
  readonly run: RunHalf | null;
  readonly work: WorkHalf;
  readonly parked_runs: readonly RunHalf[];
}

export interface CountedCall extends Warned {
  readonly allowed: boolean;
  /** Why not; a blocked call counts nothing. */
  readonly blocked_by: 'cap' | 'no_progress' | null;
  readonly bash_calls: number;
  readonly cap: number;
  readonly unchanged: number;
  readonly no_progress_limit: number;
}

export interface RecordedMeasurement extends Warned {
  readonly work: WorkHalf;
  readonly no_progress: boolean;
}

export interface LoopFileOptions {
  /** `loop` of the checkout's `perdure.json`. Looked at by the calls that need a limit; what it does not set is 40 and 3. */
  readonly limits?: LoopSettings;
  /** Longest wait for other processes, in milliseconds; default 5,000. */
  readonly waitMs?: number;
}

/**
 * The loop state of a checkout. Every call reads the file anew and, if it writes, does both under one lock, so that
 * parallel hooks lose no count. Nothing waits for a network, and whatever the file holds is no error.
 *
 * Every call throws LoopFileError `unusable` when the file system refuses, and those that write `busy` when other
 * processes held the lock for too long; DomainError `invalid_input` and `secret_detected` for what the server refuses too.
 */
export interface LoopFile {
  readonly file: string;
  readonly read: () => Promise<LoopFileState>;
  /** L2: one call of a session, or several at once; blocked when they would pass the cap, or when there is no progress. */
  readonly countCall: (call: { readonly session_id: unknown; readonly calls?: number }) => Promise<CountedCall>;
  /** L3, for the test step. */
  readonly recordMeasurement: (measured: LoopMeasurement) => Promise<RecordedMeasurement>;
  /** L5: the work half as the server has it, which outlives this checkout. */
  readonly takeWork: (work: LastMeasured) => Promise<RecordedMeasurement>;
  /** L3, L6: forgets what was measured. A person's decision: the reason goes to the server, which audits it. */
  readonly resetWork: () => Promise<RecordedMeasurement>;
}

/** @param root of the checkout; `.loop` is made in it by the first call that writes */
export function openLoopFile(root: string, { limits: settings, waitMs = 5_000 }: LoopFileOptions = {}): LoopFile {
  const file = path.join(root, ...LOOP_FILE.split('/'));
  const change = <Answer>(step: Step<Answer>) => changeState(file, waitMs, step);
  const setWork = (next: (work: WorkHalf) => WorkHalf) => {
    const limits = loopLimits(settings);
    return change((state) => {
      const work = next(state.work);
      return { state: { ...state, work }, answer: { work, no_progress: hasNoProgress(work, limits) } };
    });
  };
  return {
    file,
    read: async () => {
      const { state, warnings } = await fileErrors(readState(file));
      const { run, work, parked_runs } = state;
      return { run, work, parked_runs, warnings };
    },
    countCall: async ({ session_id, calls = 1 }) => {
      const call = { sessionId: requireSessionId(session_id), calls: wholeNumber('calls', calls, LOOP_BOUNDS.calls) };
      const limits = loopLimits(settings);
      return change((state, warn) => counted(state, { ...call, ...limits }, warn));
    },
    recordMeasurement: async (given) => {
      const measured = requireMeasurement(given);
      await refuseUnfit('failing_signature', measured.failing_signature);
      return setWork((work) => ({ ...measured, unchanged: unchangedAfter(work, measured) }));
    },
    takeWork: async ({ failing_signature, diff_hash, unchanged }) => {
      const work = {
        failing_signature: requireSignature(failing_signature),
        diff_hash: diff_hash === null ? null : requireDiffHash(diff_hash),
        unchanged: unchanged === 0 ? 0 : wholeNumber('unchanged', unchanged, Number.MAX_SAFE_INTEGER),
      };
      await refuseUnfit('failing_signature', work.failing_signature);
      return setWork(() => work);
    },
    resetWork: () => setWork(() => NOTHING_MEASURED),
  };
}

type Warn = (code: LoopFileWarning['code'], message: string) => void;
type Step<Answer> = (state: LoopState, warn: Warn) => Promise<Stepped<Answer>> | Stepped<Answer>;

interface Stepped<Answer> {
  readonly state: LoopState;
  readonly answer: Answer;
}

interface Call {
  readonly sessionId: string;
  readonly calls: number;
  readonly cap: number;
  readonly no_progress_limit: number;
}

async function counted(before: LoopState, call: Call, warn: Warn): Promise<Stepped<Omit<CountedCall, 'warnings'>>> {
  const { sessionId, calls, cap, no_progress_limit } = call;
  const { state, forgotten } = enterRun(before, sessionId);
  const { unchanged } = state.work;
  const answer = { bash_calls: state.run.bash_calls, cap, unchanged, no_progress_limit };
  if (hasNoProgress(state.work, call)) return blocked(before, answer, 'no_progress');
  if (state.run.bash_calls + calls > cap) return blocked(before, answer, 'cap');
  if (!isKnown(before, sessionId)) await refuseUnfit('session_id', sessionId);
  if (forgotten !== undefined)
    warn('run_forgotten', 'too many live sessions: the one that called longest ago is forgotten');
  const bash_calls = state.run.bash_calls + calls;
  return {
    state: { ...state, run: { session_id: sessionId, bash_calls } },
    answer: { ...answer, allowed: true, blocked_by: null, bash_calls },
  };
}

const blocked = <Answer extends object>(state: LoopState, answer: Answer, blocked_by: 'cap' | 'no_progress') => ({
  state,
  answer: { ...answer, allowed: false, blocked_by },
});

const isKnown = ({ run, parked_runs }: LoopState, sessionId: string): boolean =>
  [run, ...parked_runs].some((half) => half?.session_id === sessionId);

async function changeState<Answer>(file: string, waitMs: number, step: Step<Answer>): Promise<Answer & Warned> {
  const readAndWrite = async (held: HeldLock) => {
    const { state: before, text, warnings } = await readState(file);
    const { state, answer } = await step(before, (code, message) => warnings.push({ code, message }));
    const next = printLoopState(state);
    // A blocked call leaves the file as it is, a torn one included: it changed nothing.
    if (state !== before && next !== text) await replaceStateFile(file, next, held);
    return { ...answer, warnings };
  };
  const locked = async () => {
    await requireFolder(path.dirname(file));
    await nullWhen(['EEXIST'], mkdir(path.dirname(file)));
    return withFileLock(`${file}.lock`, { waitMs }, readAndWrite);
  };
  return fileErrors(locked());
}

async function readState(file: string): Promise<{ state: LoopState; text: string; warnings: LoopFileWarning[] }> {
  const warnings: LoopFileWarning[] = [];
  const warn: Warn = (code, message) => warnings.push({ code, message: `${LOOP_FILE}: ${message}` });
  await requireFolder(path.dirname(file));
  const bytes = await readStateBytes(file);
  if (typeof bytes === 'string') {
    warn(bytes, UNREADABLE[bytes]);
    return { state: FRESH_STATE, text: '', warnings };
  }
  const state = parseLoopState(bytes, warn);
  return { state, text: Buffer.from(bytes).toString(), warnings };
}

const UNREADABLE = {
  missing: 'there is none yet: starting fresh',
  not_a_file: 'it is a link or no regular file, and is not followed: starting fresh',
  too_large: 'it is larger than 1 MiB: starting fresh',
} as const;

/** The folder is committed, so a checkout may hold a link in its place: the state then lay wherever that points. */
async function requireFolder(folder: string): Promise<void> {
  const entry = await nullWhen(['ENOENT'], lstat(folder));
  if (entry === null || entry.isDirectory()) return;
  throw new LoopFileError('unusable', `${folder} is a link or no folder: the loop state cannot be kept in it.`);
}

async function fileErrors<Answer>(step: Promise<Answer>): Promise<Answer> {
  try {
    return await step;
  } catch (error) {
    throw asLoopFileError(error);
  }
}
