import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface ToolAnswer {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly unknown[];
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** What the tests ask of a client; both generations of the official SDK fit. */
export interface McpClient {
  readonly instructions: () => string | undefined;
  readonly tools: () => Promise<readonly { name: string; outputSchema?: unknown }[]>;
  readonly call: (name: string, input?: Record<string, unknown>) => Promise<ToolAnswer>;
  readonly close: () => Promise<void>;
}

type Connect = (url: string, token: string) => Promise<McpClient>;

const WHO = { name: 'perdure-e2e', version: '1' };
const headersFor = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

const second =
  (mode: 'auto' | 'legacy'): Connect =>
  async (url, token) => {
    const client = new Client(WHO, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), headersFor(token)));
    return {
      instructions: () => client.getInstructions(),
      tools: async () => (await client.listTools()).tools,
      call: (name, input = {}) => client.callTool({ name, arguments: input }),
      close: () => client.close(),
    };
  };

const first: Connect = async (url, token) => {
  const client = new FirstClient(WHO);
  await client.connect(new FirstTransport(new URL(url), headersFor(token)));
  return {
    instructions: () => client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    // Its type also knows the shape of 2024-10-07, which no server of ours answers with.
    call: async (name, input = {}) => (await client.callTool({ name, arguments: input })) as ToolAnswer,
    close: () => client.close(),
  };
};

/** Every official client, by what it speaks. They check an answer against its tool's output schema by themselves. */
export const OFFICIAL_CLIENTS: readonly (readonly [string, Connect])[] = [
  ['client 2 speaking 2026-07-28', second('auto')],
  ['client 2 speaking 2025-11-25', second('legacy')],
  ['client 1 speaking 2025-11-25', first],
];
