import type { CodexMemory } from './clients/codex-memory.js';
import type { ClientName } from './clients/transcript-client.js';
import type { Faults } from './faults.js';
import { ResponseTable, type CountedResponse } from './response-table.js';
import type { CountedPrompt, TranscriptState } from './transcript-state.js';

/** A reading at the end of a whole line, as JSON. Give the file's bytes from `resume_at` on to the reading made of it. */
export interface SavedReading {
  readonly generation: number;
  readonly client: ClientName;
  readonly resume_at: number;
  readonly transcripts: readonly SavedTranscript[];
}

interface SavedTranscript {
  readonly id: string;
  readonly parentId: string | null;
  readonly startedAt: number | null;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly completeBytes: number;
  readonly records: number;
  readonly responses: readonly CountedResponse[];
  readonly prompts: readonly [string, CountedPrompt][];
  readonly faults: Faults;
  readonly codex?: CodexMemory;
}

/** A copy: what is read afterwards does not change it. */
export const savedTranscript = (transcript: TranscriptState): SavedTranscript =>
  structuredClone({
    ...transcript,
    responses: [...transcript.responses],
    prompts: [...transcript.prompts],
  });

export function restoredTranscript(saved: SavedTranscript): TranscriptState {
  const { responses, prompts, ...rest } = structuredClone(saved);
  return { ...rest, responses: ResponseTable.from(responses), prompts: new Map(prompts) };
}
