import type { Server, ServerContext, ServerNotifier, Tool } from '@modelcontextprotocol/server';
import {
  callTool,
  createToolServer,
  getPrompt,
  promptDefinitions,
  readResource,
  resourceTemplates,
  visibleTools,
  type ToolCall,
} from '@perdure/mcp';
import type { GatewayCall } from '../mcp-endpoint.js';
import { askingTools } from './asking-tools.js';
import { contentTools } from './content-tools.js';
import { textsIn, type FixtureTool } from './fixture.js';
import { fixturePromptDefinitions, fixturePrompts } from './fixture-prompts.js';
import { fixtureResources, fixtureTemplates, readFixture } from './fixture-resources.js';
import { pushingTools } from './pushing-tools.js';
import { reportingTools } from './reporting-tools.js';

const TOOLS: Readonly<Record<string, FixtureTool>> = {
  ...contentTools,
  ...reportingTools,
  ...pushingTools,
  ...askingTools,
};

const definitions: readonly Tool[] = Object.entries(TOOLS).map(([name, { description, takes = [] }]) => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(takes.map((argument) => [argument, { type: 'string' }])),
    required: [...takes],
  },
}));

/**
 * The server of a request with the fixtures of the conformance suite beside everything of our own: what is not a fixture
 * is listed, called, read and refused as ever.
 */
export function createFixtureServer({ toolCall, toolSets }: GatewayCall, changes: ServerNotifier): Server {
  const server = createToolServer(toolCall, toolSets);
  server.registerCapabilities({
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true },
    logging: {},
    completions: {},
  });
  mountTools(server, { toolCall, toolSets }, changes);
  mountPrompts(server);
  mountResources(server, { toolCall, toolSets });
  server.setRequestHandler('logging/setLevel', () => ({}));
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }));
  return server;
}

function mountTools(server: Server, { toolCall, toolSets }: GatewayCall, changes: ServerNotifier): void {
  server.setRequestHandler('tools/list', () => ({
    tools: [...visibleTools(toolSets, toolCall.caller.scopes), ...definitions],
  }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const fixture = TOOLS[params.name];
    if (fixture === undefined) return callTool(params.name, params.arguments, cancellable(toolCall, context));
    return fixture.run({ texts: textsIn(params.arguments), context, toolCall, changes });
  });
}

const cancellable = (call: ToolCall, { mcpReq }: ServerContext): ToolCall => ({
  ...call,
  options: { ...call.options, signal: mcpReq.signal },
});

function mountPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: [...promptDefinitions, ...fixturePromptDefinitions] }));
  server.setRequestHandler('prompts/get', ({ params }, context) => {
    const fixture = fixturePrompts[params.name];
    return fixture?.get({ texts: textsIn(params.arguments), context }) ?? getPrompt(params.name, params.arguments);
  });
}

function mountResources(server: Server, { toolCall }: GatewayCall): void {
  server.setRequestHandler('resources/list', () => ({ resources: [...fixtureResources] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [...resourceTemplates, ...fixtureTemplates],
  }));
  server.setRequestHandler(
    'resources/read',
    ({ params }, context) => readFixture(params.uri) ?? readResource(params.uri, cancellable(toolCall, context)),
  );
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
}
