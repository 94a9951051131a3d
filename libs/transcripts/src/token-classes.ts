import type { UsageResponse } from '@perdure/contracts';

/** The five mutually exclusive classes of U7, named as a report names them. */
export type TokenClasses = Pick<
  UsageResponse,
  'input_tokens' | 'output_tokens' | 'cache_write_5m_tokens' | 'cache_write_1h_tokens' | 'cache_read_tokens'
>;

/** Classes with the number of billed responses they come from. */
export type Usage = TokenClasses & { turns: number };

export const noUsage = (): Usage => ({
  turns: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
  cache_read_tokens: 0,
});

/** Adds to `sum`. A sum beyond what a report may hold stays at that bound. */
export function addUsage(sum: Usage, usage: Usage): void {
  sum.turns = bounded(sum.turns + usage.turns);
  sum.input_tokens = bounded(sum.input_tokens + usage.input_tokens);
  sum.output_tokens = bounded(sum.output_tokens + usage.output_tokens);
  sum.cache_write_5m_tokens = bounded(sum.cache_write_5m_tokens + usage.cache_write_5m_tokens);
  sum.cache_write_1h_tokens = bounded(sum.cache_write_1h_tokens + usage.cache_write_1h_tokens);
  sum.cache_read_tokens = bounded(sum.cache_read_tokens + usage.cache_read_tokens);
}

const bounded = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER);
