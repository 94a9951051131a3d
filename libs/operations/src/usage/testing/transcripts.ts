import type { UsageResponse, UsageTotalsObject, UsageTranscript } from '@perdure/contracts';

export const NOTHING: UsageTotalsObject = {
  turns: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
  cache_read_tokens: 0,
};

type Counts = Partial<UsageTotalsObject>;

/** One turn of a model, and what else is given. */
export const model = (name: string, counts: Counts = {}) => ({ model: name, ...NOTHING, turns: 1, ...counts });

/** The classes of a response of model `a`. */
export function classes(counts: Omit<Counts, 'turns'>): Omit<UsageResponse, 'hash' | 'first_at'> {
  const { turns: _one, ...rest } = { ...NOTHING, ...counts };
  return { model: 'a', ...rest };
}

interface Options {
  readonly version?: readonly [generation: number, completeBytes: number, records: number];
  readonly models?: ReturnType<typeof model>[];
  readonly responses?: UsageResponse[];
}

/** A sound report; of responses the models are their sums. */
export function transcript(transcript_id: string, { version, models, responses }: Options = {}): UsageTranscript {
  const [generation = 0, complete_bytes = 0, records = 0] = version ?? [];
  return {
    transcript_id,
    client: 'claude-code',
    ...(version === undefined ? {} : { version: { generation, complete_bytes, records } }),
    ...(responses === undefined ? {} : { responses }),
    models: models ?? (responses === undefined ? [model('a')] : sumsOf(responses)),
  };
}

function sumsOf(responses: readonly UsageResponse[]) {
  const sums = new Map<string, ReturnType<typeof model>>();
  for (const { model: name, hash: _hash, first_at: _at, ...counts } of responses) {
    const sum = sums.get(name) ?? model(name, { turns: 0 });
    const added = Object.entries({ ...counts, turns: 1 }).map(([key, count]) => [
      key,
      count + Number(Reflect.get(sum, key)),
    ]);
    sums.set(name, { ...sum, ...Object.fromEntries(added) });
  }
  return [...sums.values()];
}
