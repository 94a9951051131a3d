import { Server } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { ToolSet } from '@perdure/contracts';
import { callTool, type ToolCall } from './call-tool.js';
import { INSTRUCTIONS } from './instructions.js';
import { getPrompt, promptDefinitions } from './prompts.js';
import { readResource, resourceTemplates } from './resources.js';
import { visibleTools } from './tool-list.js';

export const SERVER_INFO = { name: 'perdure', title: 'Perdure', version: '0.1.0' } as const;

/** The catalogue changes only with a deployment, a caller's scopes rarely: a minute old is fresh enough. */
const CACHE_HINT = { ttlMs: 60_000, cacheScope: 'private' } as const;

/** Made once: the SDK would build one per server, and a server is built per request. We ask clients for no input. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/**
 * A server for one request. A shared one has been seen to send one client's answer to another
 * (modelcontextprotocol/typescript-sdk#1278), so nothing here survives the request.
 */
export function createToolServer(call: ToolCall, toolSets: ReadonlySet<ToolSet>): Server {
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: {}, prompts: {}, resources: {} },
    instructions: INSTRUCTIONS,
    cacheHints: {
      'tools/list': CACHE_HINT,
      'prompts/list': CACHE_HINT,
      'resources/list': CACHE_HINT,
      'resources/templates/list': CACHE_HINT,
      'server/discover': CACHE_HINT,
    },
    jsonSchemaValidator,
  });
  server.setRequestHandler('tools/list', () => ({ tools: visibleTools(toolSets, call.caller.scopes) }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(params.name, params.arguments, { ...call, options: { ...call.options, signal: mcpReq.signal } }),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts: [...promptDefinitions] }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments));
  // Sessions and decisions are many and found by operations: there is nothing to list but their forms.
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...resourceTemplates] }));
  server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
    readResource(params.uri, { ...call, options: { ...call.options, signal: mcpReq.signal } }),
  );
  return server;
}
