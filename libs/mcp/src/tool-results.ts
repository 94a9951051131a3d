import { errorBodyOf, type CallResult, type ErrorBody } from '@perdure/contracts';
import type { CallToolResult } from '@modelcontextprotocol/server';

const ERROR_META_KEY = 'dev.perdure/error';
const REPLAYED_META_KEY = 'dev.perdure/replayed';

/** Ends of a line for some readers, which JSON would leave as they are (ECMA-404 asks to escape none of them). */
const LINE_ENDS = /[\x7f-\x9f\u2028\u2029]/g;

/** JSON on one line, whatever a reader takes for the end of one: stored text cannot begin a line of its own in it. */
const oneLine = (value: unknown): string =>
  JSON.stringify(value).replace(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** An answer: the same JSON as text, for clients that show only that, and as structured content. */
export const answer = ({ output, replayed }: CallResult): CallToolResult => ({
  content: [{ type: 'text', text: oneLine(output) }],
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
    content: [{ type: 'text', text: oneLine({ error }) }],
    _meta: { [ERROR_META_KEY]: error },
  };
}

/** An internal fault names its log line and nothing of its cause. */
function refusalBody(thrown: unknown, requestId: string): ErrorBody {
  const body = errorBodyOf(thrown);
  return body.kind === 'internal' ? { ...body, details: { ...body.details, request_id: requestId } } : body;
}
