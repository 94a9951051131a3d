import { WebStandardStreamableHTTPServerTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { answerOlder, createMcpEndpoint, type McpEndpoint, type OlderProtocol } from '../mcp-endpoint.js';
import { createFixtureServer } from './fixture-server.js';
import { pushingTools } from './pushing-tools.js';

/** Fixtures that say something before they answer. No tool of ours does, so older clients get plain JSON from all others. */
const STREAMED: ReadonlySet<string> = new Set([
  'test_tool_with_logging',
  'test_tool_with_progress',
  ...Object.keys(pushingTools),
]);

/** The endpoint of a gateway under test by the conformance suite; everything before it is as in production. */
export function createFixtureEndpoint(onError: (error: Error) => void): McpEndpoint {
  return createMcpEndpoint({ onError, serverFor: createFixtureServer, serveOlder: streamed() });
}

/**
 * Answers the calls of STREAMED with an event stream, all others as production does. The suite runs one call at a time,
 * so an answer of the client belongs to the last that was begun.
 */
function streamed(): OlderProtocol {
  let conversation: WebStandardStreamableHTTPServerTransport | null = null;
  return async (request, options, server) => {
    const body = options.parsedBody;
    if (isAnswer(body)) {
      conversation?.onmessage?.(body);
      return new Response(null, { status: 202 });
    }
    if (!STREAMED.has(calledTool(body))) return answerOlder(request, options, server);
    conversation = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(conversation);
    return conversation.handleRequest(request, options);
  };
}

const isAnswer = (body: unknown): body is JSONRPCMessage =>
  typeof body === 'object' && body !== null && !('method' in body) && ('result' in body || 'error' in body);

function calledTool(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('method' in body) || !('params' in body)) return '';
  const { method, params } = body;
  if (method !== 'tools/call' || typeof params !== 'object' || params === null || !('name' in params)) return '';
  return String(params.name);
}
