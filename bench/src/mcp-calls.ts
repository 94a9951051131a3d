import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { catalogue } from '@perdure/contracts';
import type { BareTools } from './bare-gateway.js';
import type { BenchContext } from './context.js';
import { HttpConnection, type HttpAnswer } from './http-connection.js';
import { openInstallation, type Agent } from './installation.js';
import { rateFigure, type Figure, type Measurement } from './report.js';
import { closedLoop, compare, type Contestant } from './rounds.js';
import { startApp, startSource, type StartedProcess } from './started-process.js';
import { toolRequest } from './tool-request.js';

const CLIENTS = 16;
/** Of the bare tool's calls per second (issue of these benches). */
const LEAST_OF_BARE = 0.7;
/** "No slower": within what two runs of the same differ by on a shared machine. */
const LEAST_OF_ONE_TOOL = 0.95;
const TOOLS = ['ping_build_session', 'get_build_session'] as const;

/** MCP tools/call through the real gateway process, against a bare tool on the same SDK, and with 80 tools against 1. */
export async function measureMcpCalls({ cluster, plan }: BenchContext): Promise<Measurement> {
  const database = await cluster.createDatabase('bench_mcp');
  const installation = await openInstallation(database, { poolSize: 4 });
  // A session for each client: sixteen pings of one row would wait for each other, and no two agents share a session.
  const agents = await installation.agents(CLIENTS, 1);
  await installation.close();
  const env = { PERDURE_DATABASE_URL: database.appUrl, PERDURE_QUEUE_URL: cluster.queueUrl };
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startApp('mcp-gateway', cluster.folder, { ...env, ...more });
  const figures = [
    ...(await againstBareTool(await start(), agents, cluster.folder, plan)),
    ...(await againstOneTool(start, agents, plan)),
  ];
  return {
    name: 'mcp-calls',
    title: `MCP tools/call, ${CLIENTS} clients`,
    method: [
      'Ours: the gateway as a process of its own, production settings, a log line per request, Postgres with fsync: ping is a durable UPDATE, get a read of ten tables.',
      'Ceiling: a process with the same SDK, Express and zod, a token comparison, no database, no log, the same answers byte for byte.',
      `Clients: ${CLIENTS} kept-alive connections of a hand-written HTTP client in this process, protocol 2026-07-28; each has a session and a credential of its own.`,
      '80 against 1: the real gateway with its catalogue filled up and cut down.',
    ],
    figures,
  };
}

async function againstBareTool(
  gateway: StartedProcess,
  agents: readonly Agent[],
  folder: string,
  plan: BenchContext['plan'],
): Promise<Figure[]> {
  const [first] = agents;
  if (first === undefined) throw new Error('there is no agent');
  const handedOver = path.join(folder, 'bare-tools.json');
  const answers = Object.fromEntries(
    await Promise.all(TOOLS.map(async (tool) => [tool, await structuredAnswer(gateway, first, tool)] as const)),
  );
  const token = 'bare-token-of-the-same-length-as-a-real-one-has';
  writeFileSync(handedOver, JSON.stringify({ token, answers } satisfies BareTools));
  const bare = await startSource('bare-gateway.ts', [handedOver]);
  const figures: Figure[] = [];
  for (const tool of TOOLS) {
    const ours = await contestant(gateway, agents, tool);
    const ceiling = await contestant(bare, agents, tool, token);
    figures.push(rateFigure(tool, 'calls/s', await compare(ours.call, ceiling.call, plan), LEAST_OF_BARE));
    for (const { close } of [ours, ceiling]) close();
  }
  await bare.stop();
  await gateway.stop();
  return figures;
}

async function againstOneTool(
  start: (env: Readonly<Record<string, string>>) => Promise<StartedProcess>,
  agents: readonly Agent[],
  plan: BenchContext['plan'],
): Promise<Figure[]> {
  const withTools = (count: number) =>
    start({
      NODE_OPTIONS: `--require ${path.join(__dirname, 'catalogue-size.cjs')}`,
      BENCH_TOOLS: String(count),
    });
  const gateways = [await withTools(80), await withTools(1)] as const;
  const [many, one] = await Promise.all(gateways.map((gateway) => contestant(gateway, agents, TOOLS[0])));
  if (many === undefined || one === undefined) throw new Error('both gateways were started');
  const comparison = await compare(many.call, one.call, plan);
  for (const { close } of [many, one]) close();
  for (const gateway of gateways) await gateway.stop();
  return [rateFigure(`${TOOLS[0]}, 80 tools : 1`, 'calls/s', comparison, LEAST_OF_ONE_TOOL)];
}

/** Sixteen connections that call one tool, each for its own agent. */
async function contestant(
  { port }: StartedProcess,
  agents: readonly Agent[],
  tool: string,
  token?: string,
): Promise<{ call: Contestant; close: () => void }> {
  const connections = await Promise.all(agents.map(() => HttpConnection.open(port)));
  const requests = agents.map((agent) =>
    toolRequest(token ?? agent.token, tool, { build_session_id: agent.sessionId }),
  );
  const once = async (worker: number) => {
    const [connection, request] = [connections[worker], requests[worker]];
    if (connection === undefined || request === undefined) throw new Error(`there is no client ${worker}`);
    requireAnswer(await connection.send(request), tool);
  };
  return {
    call: (ms) => closedLoop(agents.length, ms, once),
    close: () => connections.forEach((connection) => connection.close()),
  };
}

function requireAnswer({ status, text }: HttpAnswer, tool: string): void {
  if (status === 200 && !text.includes('"isError"') && text.includes('"structuredContent"')) return;
  throw new Error(`${tool} answered ${status}: ${text.slice(0, 400)}`);
}

async function structuredAnswer(gateway: StartedProcess, agent: Agent, tool: string): Promise<Record<string, unknown>> {
  const connection = await HttpConnection.open(gateway.port);
  const answer = await connection.send(toolRequest(agent.token, tool, { build_session_id: agent.sessionId }));
  connection.close();
  requireAnswer(answer, tool);
  const json = answer.text.slice(answer.text.indexOf('{'), answer.text.lastIndexOf('}') + 1);
  const { result } = JSON.parse(json) as { result: { structuredContent: Record<string, unknown> } }; // as just required
  const contract = TOOLS[0] === tool ? catalogue.sessions.pingBuildSession : catalogue.sessions.getBuildSession;
  contract.output.parse(result.structuredContent);
  return result.structuredContent;
}
