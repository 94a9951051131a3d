import { DomainError, type Authenticate, type RunOperation } from '@perdure/contracts';
import { parseToolSets } from '@perdure/mcp';
import type { OpenedAuthorization } from '@perdure/runtime';
import {
  belowBasePath,
  browserGuard,
  callerOf,
  describeRequest,
  jsonBody,
  limitAddresses,
  logFieldsOf,
  RefusedKey,
  requestContext,
  requireCaller,
  type BrowserGuardOptions,
  type ProcessContext,
  type RequestLimits,
} from '@perdure/service';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { JsonRpcRefusal, jsonRpcErrors, messageId, sendJsonRpcError } from './json-rpc-refusal.js';
import { GatewayCall, type McpEndpoint } from './mcp-endpoint.js';
import { stepUp } from './step-up.js';

export interface GatewayOptions extends BrowserGuardOptions {
  readonly authenticate: Authenticate;
  readonly limits: RequestLimits;
  readonly run: RunOperation;
  readonly endpoint: McpEndpoint;
  readonly health: Router;
  readonly logger: ProcessContext['logger'];
  /** Sign-in and MCP authorization; null where the installation does not know its own address. */
  readonly authorization: OpenedAuthorization | null;
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly string[];
}

/**
 * Nothing of the protocol is ever shown as a page: what guards windows, frames and fetched resources of one is left out.
 * The pages of the authorization bring headers of their own.
 */
const JSON_ONLY: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

const CORS = {
  methods: 'POST',
  requestHeaders:
    'Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, X-Request-Id',
  exposedHeaders: 'WWW-Authenticate, Mcp-Session-Id, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy',
};

/** The gateway as an Express application: guards first, the protocol last. */
export function createGatewayApp(options: GatewayOptions): Express {
  const app = express().disable('x-powered-by').disable('etag').set('trust proxy', options.trustedProxies);
  app.use(helmet(JSON_ONLY), requestContext(options.logger), belowBasePath(options.publicUrl));
  app.all('/mcp', ...mcpChain(options));
  app.use(['/oauth', '/sign-in'], limitAddresses(options.limits));
  if (options.authorization !== null) app.use(options.authorization.routes);
  app.use(options.health);
  app.use((_request, response) => {
    response
      .status(404)
      .json({ error: new DomainError('not_found', 'There is nothing here; MCP is at /mcp.').toBody() });
  });
  app.use(
    jsonRpcErrors((error, response) =>
      options.logger.error({ err: error, ...logFieldsOf(response) }, 'a request failed'),
    ),
  );
  return app;
}

/** One flat chain: a router of its own would cost every call a second walk over paths. */
function mcpChain(options: GatewayOptions): (RequestHandler | ErrorRequestHandler)[] {
  const challenge = options.authorization?.challenge ?? null;
  return [
    browserGuard(options, CORS),
    postOnly,
    requireCaller(options.authenticate, options.limits, challenge),
    jsonBody(),
    reliableKeys,
    oneMessage,
    limitToolCalls(options.limits),
    ...(challenge === null ? [] : [stepUp(challenge)]),
    protocol(options),
  ];
}

/** Sessions and streams over GET and DELETE belong to transports that keep state. */
const postOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'POST') return next();
  response.set('allow', 'POST');
  const hint = 'POST JSON-RPC here with an MCP client.';
  const refusal = new DomainError('unsupported', 'This endpoint takes POST only.', {}, hint);
  sendJsonRpcError(response, 405, -32000, refusal.toBody());
};

/** One JSON-RPC message a request: batches left the protocol with 2025-06-18, and one of them hung a server for good. */
const oneMessage: RequestHandler = (request, _response, next) => {
  const body: unknown = request.body;
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return next();
  const refusal = new DomainError(
    'invalid_input',
    'The body must be one JSON-RPC message, not a batch or a bare value.',
  );
  next(new JsonRpcRefusal(-32600, refusal));
};

/**
 * Tool calls count, the handshake and the lists do not: a client that is told to wait before it knows the tools gives up
 * or begins anew (BasedHardware/omi#7605). The answer is 429 for the client; a tool result would have the model repeat it.
 */
const limitToolCalls =
  (limits: RequestLimits): RequestHandler =>
  async (request, response, next) => {
    const refused = isToolCall(request.body) ? await limits.ofCaller(response) : null;
    next(refused === null ? undefined : new JsonRpcRefusal(-32000, refused, messageId(request.body)));
  };

const ARGUMENTS = ['params', 'arguments'];

const refusedArguments = new WeakMap<Response, DomainError>();

/**
 * A key said twice, or one that the SDK would lose. In the arguments of a tool the model is told, as of every other wrong
 * argument; anywhere else the message itself cannot be read in one way only.
 */
const reliableKeys: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (!(error instanceof RefusedKey)) return next(error);
  const { problem, place } = error.key;
  const inside = place.slice(ARGUMENTS.length);
  const isArgument = inside.length > 0 && ARGUMENTS.every((name, index) => place[index] === name);
  if (!isArgument || !isToolCall(request.body)) return next(new JsonRpcRefusal(-32600, error));
  refusedArguments.set(response, new RefusedKey({ problem, place: inside }));
  next();
};

const isToolCall = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'tools/call';

const protocol =
  (options: GatewayOptions): RequestHandler =>
  (request, response) =>
    options.endpoint.handle(request, response, callOf(request, response, options));

function callOf(request: Request, response: Response, { run, logger }: GatewayOptions): GatewayCall {
  const fields = logFieldsOf(response);
  const toolCall = {
    caller: callerOf(response),
    options: { requestId: fields.request_id },
    refusal: refusedArguments.get(response),
    run: ((contract, ...rest) => {
      describeRequest(response, { op: contract.name });
      return run(contract, ...rest);
    }) satisfies RunOperation,
    onError: (error: unknown, tool: string) => logger.error({ err: error, op: tool, ...fields }, 'a tool call failed'),
  };
  return new GatewayCall(toolCall, askedToolSets(request));
}

/** @throws JsonRpcRefusal naming the tool sets that exist */
function askedToolSets({ query, body }: Request) {
  const asked = query['toolsets'];
  try {
    return parseToolSets(asked === undefined ? undefined : String(asked));
  } catch (error) {
    if (error instanceof DomainError) throw new JsonRpcRefusal(-32602, error, messageId(body));
    throw error;
  }
}
