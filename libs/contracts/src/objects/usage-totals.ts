import { z } from 'zod';
import { count } from '../fields.js';

/** The five mutually exclusive token classes (U7) and the number of billed model responses. */
export const usageTotalsObject = z.object({
  turns: count(),
  input_tokens: count(),
  output_tokens: count(),
  cache_write_5m_tokens: count(),
  cache_write_1h_tokens: count(),
  cache_read_tokens: count(),
});

export type UsageTotalsObject = z.output<typeof usageTotalsObject>;
