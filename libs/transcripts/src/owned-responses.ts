import type { TranscriptClient } from './clients/transcript-client.js';
import type { CountedResponse } from './response-table.js';
import type { TranscriptState } from './transcript-state.js';

/** What of a transcript is its own, after the transcripts read together with it (U6). */
export interface OwnedPart {
  readonly transcript: TranscriptState;
  /** Told once for each response that is its own. */
  readonly eachResponse: (take: (response: CountedResponse, identity: string) => void) => void;
  readonly prompts: number;
  readonly replayed: number;
}

/**
 * Gives each response of one client to one transcript: the one that began first, of two that began together the one with
 * the smaller id. So the order in which files are read does not matter.
 */
export function ownedParts(client: TranscriptClient, transcripts: readonly TranscriptState[]): OwnedPart[] {
  const owned = { responses: new Map<string, number>(), prompts: new Set<string>(), met: 0 };
  const parents = new Map(transcripts.flatMap(({ codex }) => codex?.forkedFrom ?? []));
  const [only, another] = transcripts;
  // Its keys are distinct as they are: a large transcript read alone needs no second index of them.
  if (only !== undefined && another === undefined && !only.responses.hasIdentities)
    return [wholePart(only, familyOf(client, only, parents))];
  return transcripts.toSorted(byBeginning).map((transcript) => ownedPart(client, transcript, { owned, parents }));
}

const beginningOf = ({ startedAt, firstAt }: TranscriptState): number => startedAt ?? firstAt ?? Infinity;

function byBeginning(a: TranscriptState, b: TranscriptState): number {
  const [first, second] = [beginningOf(a), beginningOf(b)];
  if (first !== second) return first < second ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

interface Family {
  /** `responses`: identity → which of all that were met it was; of two with one identity the first counts. */
  readonly owned: { readonly responses: Map<string, number>; readonly prompts: Set<string>; met: number };
  readonly parents: ReadonlyMap<string, string>;
}

const familyOf = (client: TranscriptClient, transcript: TranscriptState, parents: Family['parents']): string =>
  client.familyOf === undefined ? '' : `${client.familyOf(transcript, parents)} `;

const wholePart = (transcript: TranscriptState, family: string): OwnedPart => ({
  transcript,
  eachResponse: (take) => {
    for (const response of transcript.responses) take(response, family + response.key);
  },
  prompts: transcript.prompts.size,
  replayed: 0,
});

function ownedPart(client: TranscriptClient, transcript: TranscriptState, { owned, parents }: Family): OwnedPart {
  const family = familyOf(client, transcript, parents);
  const first = owned.met;
  let [replayed, replayedUpTo] = [0, 0];
  for (const identity of transcript.responses.identities(family)) {
    owned.met += 1;
    if (!owned.responses.has(identity)) owned.responses.set(identity, owned.met);
    else [replayed, replayedUpTo] = [replayed + 1, owned.met - first];
  }
  // Copied history stands before what is new: prompts without a name of their own go with the responses after them.
  const prompts = [...transcript.prompts.values()].filter((prompt) =>
    prompt.identity === null ? prompt.position >= replayedUpTo : !owned.prompts.has(prompt.identity),
  );
  for (const { identity } of prompts) if (identity !== null) owned.prompts.add(identity);
  return {
    transcript,
    eachResponse: (take) => {
      let met = first;
      for (const response of transcript.responses) {
        met += 1;
        const identity = response.identity ?? family + response.key;
        if (owned.responses.get(identity) === met) take(response, identity);
      }
    },
    prompts: prompts.length,
    replayed,
  };
}
