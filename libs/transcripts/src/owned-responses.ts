import type { TranscriptClient } from './clients/transcript-client.js';
import type { CountedResponse, TranscriptState } from './transcript-state.js';

/** A response with what stands for it in every transcript that has a copy. */
export interface OwnedResponse {
  readonly identity: string;
  readonly response: CountedResponse;
}

/** What of a transcript is its own, after the transcripts read together with it (U6). */
export interface OwnedPart {
  readonly transcript: TranscriptState;
  readonly responses: readonly OwnedResponse[];
  readonly prompts: number;
  readonly replayed: number;
}

/**
 * Gives each response of one client to one transcript: the one that began first, of two that began together the one with
 * the smaller id. So the order in which files are read does not matter.
 */
export function ownedParts(client: TranscriptClient, transcripts: readonly TranscriptState[]): OwnedPart[] {
  const owned = { responses: new Set<string>(), prompts: new Set<string>() };
  const parents = new Map(transcripts.flatMap(({ codex }) => codex?.forkedFrom ?? []));
  return transcripts.toSorted(byBeginning).map((transcript) => ownedPart(client, transcript, { owned, parents }));
}

const beginningOf = ({ startedAt, firstAt }: TranscriptState): number => startedAt ?? firstAt ?? Infinity;

function byBeginning(a: TranscriptState, b: TranscriptState): number {
  const [first, second] = [beginningOf(a), beginningOf(b)];
  if (first !== second) return first < second ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

interface Family {
  readonly owned: { readonly responses: Set<string>; readonly prompts: Set<string> };
  readonly parents: ReadonlyMap<string, string>;
}

function ownedPart(client: TranscriptClient, transcript: TranscriptState, { owned, parents }: Family): OwnedPart {
  const family = client.familyOf === undefined ? '' : `${client.familyOf(transcript, parents)} `;
  const responses: OwnedResponse[] = [];
  let position = 0;
  let replayedUpTo = 0;
  for (const [key, response] of transcript.responses) {
    position += 1;
    const identity = response.identity ?? `${family}${key}`;
    if (owned.responses.has(identity)) replayedUpTo = position;
    else responses.push({ identity, response });
    owned.responses.add(identity);
  }
  // Copied history stands before what is new: prompts without a name of their own go with the responses after them.
  const prompts = [...transcript.prompts.values()].filter((prompt) =>
    prompt.identity === null ? prompt.position >= replayedUpTo : !owned.prompts.has(prompt.identity),
  );
  for (const { identity } of prompts) if (identity !== null) owned.prompts.add(identity);
  return { transcript, responses, prompts: prompts.length, replayed: transcript.responses.size - responses.length };
}
