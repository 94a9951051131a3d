import { SCOPES } from '@perdure/contracts';
import { toolSetNames, visibleTools } from '@perdure/mcp';
import type { Measurement } from './report.js';

/** What a client pays before its first call. No clock is read: the figures are the same on every machine. */
export function measureToolTokens(): Promise<Measurement> {
  const scopes = new Set(SCOPES);
  return Promise.resolve({
    name: 'tool-tokens',
    title: 'tools/list, tokens',
    method: [
      'The JSON of the tools of one set, as a caller with every scope is shown them; one token for each four bytes of UTF-8, rounded up.',
    ],
    figures: toolSetNames.map((name) => {
      const tools = visibleTools(new Set([name]), scopes);
      const tokens = Math.ceil(Buffer.byteLength(JSON.stringify(tools)) / 4);
      return {
        name: `${name}, ${tools.length} tools`,
        unit: 'tokens',
        ours: { value: tokens },
        ceiling: null,
        ratio: null,
      };
    }),
  });
}
