import { z } from 'zod';

/** A sum of counts: each of them is exact, a sum beyond 2^53 is the nearest number that JSON readers have. */
const sum = () => z.number().min(0);

/** The five mutually exclusive token classes (U7) and the number of billed model responses. */
export const usageTotalsObject = z.object({
  turns: sum(),
  input_tokens: sum(),
  output_tokens: sum(),
  cache_write_5m_tokens: sum(),
  cache_write_1h_tokens: sum(),
  cache_read_tokens: sum(),
});

export type UsageTotalsObject = z.output<typeof usageTotalsObject>;
