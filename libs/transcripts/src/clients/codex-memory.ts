/** What a Codex transcript has said so far that decides what its next lines mean. Data, as the rest of the state. */
export interface CodexMemory {
  model: string | null;
  hasMeta: boolean;
  isSubAgent: boolean;
  /** Transcript → the one it was forked from, as the head of the file tells: its own record, then those it copied. */
  readonly forkedFrom: [child: string, parent: string][];
  /** The highest running total that was counted; null before the first. */
  mark: readonly number[] | null;
  /** The conversation was compacted since: the running total may have been rewritten lower. */
  isCompacted: boolean;
  /** Every token_count once seen, by its totals: the client writes them again whenever it redraws. */
  readonly seen: Record<string, true>;
  /** Figures of a token_count → keys of responses that no usage record was found for yet. */
  readonly countsWithoutRecord: Record<string, string[]>;
  /** Figures of a usage record → responses that no token_count was found for yet. */
  readonly recordsWithoutCount: Record<string, string[]>;
  /** Response id → the key its token_count had been given. */
  readonly keyOfRecord: Record<string, string>;
}

export const emptyCodexMemory = (): CodexMemory => ({
  model: null,
  hasMeta: false,
  isSubAgent: false,
  forkedFrom: [],
  mark: null,
  isCompacted: false,
  seen: {},
  countsWithoutRecord: {},
  recordsWithoutCount: {},
  keyOfRecord: {},
});
