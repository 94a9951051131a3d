import { countFault, type Fault } from './faults.js';
import { addPrompt, addResponse, earliest, type TranscriptState } from './transcript-state.js';

/** One state for each transcript id, whatever number of files it was found in. */
export function mergedTranscripts(states: readonly TranscriptState[], isShared: boolean): TranscriptState[] {
  const merged = new Map<string, TranscriptState>();
  for (const state of states) {
    const known = merged.get(state.id);
    if (known === undefined) merged.set(state.id, state);
    else if (isShared) addPart(known, state);
    else if (isLater(state, known)) merged.set(state.id, state);
  }
  return isShared ? [...merged.values()].filter(({ records }) => records > 0) : [...merged.values()];
}

/** Two files of one transcript are a transcript and an older copy of it. */
const isLater = (a: TranscriptState, b: TranscriptState): boolean =>
  a.completeBytes === b.completeBytes ? a.records > b.records : a.completeBytes > b.completeBytes;

/** Of clients that keep a file for each message. */
function addPart(whole: TranscriptState, part: TranscriptState): void {
  whole.parentId ??= part.parentId;
  whole.startedAt = earliest(whole.startedAt, part.startedAt);
  whole.completeBytes += part.completeBytes;
  whole.records += part.records;
  for (const response of part.responses) addResponse(whole, response);
  for (const [key, { identity }] of part.prompts) addPrompt(whole, { key, identity, at: part.firstAt });
  for (const [fault, times] of Object.entries(part.faults)) countFault(whole.faults, fault as Fault, times); // its keys
}
