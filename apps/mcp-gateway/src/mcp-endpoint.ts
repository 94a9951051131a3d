import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type Server,
} from '@modelcontextprotocol/server';
import type { ToolSet } from '@perdure/contracts';
import { createToolServer, type ToolCall } from '@perdure/mcp';
import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import { exchange } from './node-adapter.js';

/** What one HTTP request brings: the SDK carries it from here to the server that is built for that request. */
export class GatewayCall {
  constructor(
    readonly toolCall: ToolCall,
    readonly toolSets: ReadonlySet<ToolSet>,
  ) {}
}

export interface McpEndpoint {
  /** Serves a POST whose body was read and whose caller is known. */
  handle(request: HttpRequest, response: HttpResponse, call: GatewayCall): Promise<void>;
  /** Ends open `subscriptions/listen` streams; calls in flight may finish. */
  close(): Promise<void>;
}

/**
 * Both protocol eras over one stateless endpoint: 2026-07-28 by the SDK's handler, older clients by one transport and
 * one server per request. No transport session exists, so no replica, restart or stale `Mcp-Session-Id` can lose one.
 *
 * @param onError told of transport faults and refused requests; it never alters an answer
 */
export function createMcpEndpoint(onError: (error: Error) => void): McpEndpoint {
  const modern = createMcpHandler(({ authInfo }) => serverFor(authInfo), { legacy: 'reject', onerror: onError });
  return {
    handle: (request, response, call) =>
      exchange(request, response, async (incoming) => {
        const options = { authInfo: carrying(call), parsedBody: request.body as unknown };
        return (await isLegacyRequest(incoming.request, options.parsedBody))
          ? serveLegacy(await incoming.whole(), options)
          : modern.fetch(incoming.request, options);
      }),
    close: () => modern.close(),
  };
}

/** The SDK passes `authInfo` through unread. The token stays behind: nothing after authentication needs it. */
const carrying = (call: GatewayCall): AuthInfo => ({ token: '', clientId: '', scopes: [], extra: { call } });

function serverFor(authInfo: AuthInfo | undefined): Server {
  const call = authInfo?.extra?.['call'];
  if (!(call instanceof GatewayCall)) throw new Error('a request reached the protocol without its call');
  return createToolServer(call.toolCall, call.toolSets);
}

/**
 * 2025-11-25 and before. Answers are plain JSON, which every client must take and some ask for alone; what `Accept`
 * says is not held against anyone (anthropics/claude-code#45368: the transport would answer 406).
 */
async function serveLegacy(request: Request, options: { authInfo: AuthInfo; parsedBody: unknown }): Promise<Response> {
  const server = serverFor(options.authInfo);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  request.headers.set('accept', 'application/json, text/event-stream');
  try {
    return await Promise.race([transport.handleRequest(request, options), clientGone(request.signal)]);
  } finally {
    // Closing the server aborts the signal of a call that is still running: its client is gone.
    await server.close();
  }
}

/** 499: nobody reads it, it ends the wait. */
const clientGone = (signal: AbortSignal) =>
  new Promise<Response>((resolve) => {
    const end = () => resolve(new Response(null, { status: 499 }));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
