// An agent on a computer, as the story needs one: the official MCP client, and refusals as errors.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** A tool refused: `refusal` is the body of the error, as the gateway sends it. */
class ToolRefused extends Error {
  constructor(name, refusal) {
    super(`${name}: ${refusal.message}`);
    this.refusal = refusal;
  }
}

export async function connect(name, url, token) {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(transport);
  return client;
}

export const closeAll = (clients) => Promise.all(clients.map((client) => client.close()));

/** Calls a tool and returns its structured answer; a refusal that nobody expects ends the demo with what the tool said. */
export async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new ToolRefused(name, JSON.parse(result.content[0].text).error);
  return result.structuredContent;
}

/** The refusal that a settled call ended in. @param {PromiseRejectedResult} outcome */
export function refusalOf({ reason }) {
  if (reason instanceof ToolRefused) return reason.refusal;
  throw reason;
}
