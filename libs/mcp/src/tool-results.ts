import { errorBodyOf, type CallResult, type ErrorBody } from '@perdure/contracts';
import type { CallToolResult } from '@modelcontextprotocol/server';

const ERROR_META_KEY = 'dev.perdure/error';
const REPLAYED_META_KEY = 'dev.perdure/replayed';

/** An answer: the same JSON as text, for clients that show only that, and as structured content. */
export const answer = ({ output, replayed }: CallResult): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(output) }],
  structuredContent: { ...output },
  ...(replayed ? { _meta: { [REPLAYED_META_KEY]: true } } : {}),
});

/**
 * A refusal that the model can read (DESIGN §4). It has no structured content: with an output schema, clients of the
 * first SDK generation throw on it.
 */
export function refusal(thrown: unknown, requestId: string): CallToolResult {
  const error = refusalBody(thrown, requestId);
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify({ error }) }],
    _meta: { [ERROR_META_KEY]: error },
  };
}

/** An internal fault names its log line and nothing of its cause. */
function refusalBody(thrown: unknown, requestId: string): ErrorBody {
  const body = errorBodyOf(thrown);
  return body.kind === 'internal' ? { ...body, details: { ...body.details, request_id: requestId } } : body;
}
