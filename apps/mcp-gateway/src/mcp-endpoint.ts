import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpHttpHandler,
  type Server,
  type ServerNotifier,
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

/** Makes the server of one request. @param changes tells those who listen (`subscriptions/listen`) that a list changed */
export type ServerFactory = (call: GatewayCall, changes: ServerNotifier) => Server;

/** How a request of 2025-11-25 or before is answered by the server made for it. */
export type OlderProtocol = (
  request: Request,
  options: { readonly authInfo: AuthInfo; readonly parsedBody: unknown },
  server: Server,
) => Promise<Response>;

export interface EndpointOptions {
  /** Told of transport faults and refused requests; it never alters an answer. */
  readonly onError: (error: Error) => void;
  /** Default: the tools of the catalogue. */
  readonly serverFor?: ServerFactory;
  readonly serveOlder?: OlderProtocol;
}

const ourServer: ServerFactory = ({ toolCall, toolSets }) => createToolServer(toolCall, toolSets);

/**
 * Both protocol eras over one stateless endpoint: 2026-07-28 by the SDK's handler, older clients by one transport and
 * one server per request. No transport session exists, so no replica, restart or stale `Mcp-Session-Id` can lose one.
 */
export function createMcpEndpoint(endpoint: EndpointOptions): McpEndpoint {
  const { onError, serverFor = ourServer, serveOlder = answerOlder } = endpoint;
  const modern: McpHttpHandler = createMcpHandler(({ authInfo }) => serverFor(callIn(authInfo), modern.notify), {
    legacy: 'reject',
    onerror: onError,
  });
  return {
    handle: (request, response, call) =>
      exchange(request, response, async (incoming) => {
        const options = { authInfo: carrying(call), parsedBody: request.body as unknown };
        return (await isLegacyRequest(incoming.request, options.parsedBody))
          ? serveOlder(await incoming.whole(), options, serverFor(call, modern.notify))
          : modern.fetch(incoming.request, options);
      }),
    close: () => modern.close(),
  };
}

/** The SDK passes `authInfo` through unread. The token stays behind: nothing after authentication needs it. */
const carrying = (call: GatewayCall): AuthInfo => ({ token: '', clientId: '', scopes: [], extra: { call } });

function callIn(authInfo: AuthInfo | undefined): GatewayCall {
  const call = authInfo?.extra?.['call'];
  if (!(call instanceof GatewayCall)) throw new Error('a request reached the protocol without its call');
  return call;
}

/**
 * 2025-11-25 and before. Answers are plain JSON, which every client must take and some ask for alone; what `Accept`
 * says is not held against anyone (anthropics/claude-code#45368: the transport would answer 406).
 */
export const answerOlder: OlderProtocol = async (request, options, server) => {
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
};

/** 499: nobody reads it, it ends the wait. */
const clientGone = (signal: AbortSignal) =>
  new Promise<Response>((resolve) => {
    const end = () => resolve(new Response(null, { status: 499 }));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
