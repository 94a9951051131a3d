// A process of its own: the ceiling of the MCP measurement. The same SDK, Express, JSON body and zod input as a gateway
// needs at least, a comparison in place of authentication, constant answers in place of a database. Its answers are those
// of the real one, byte for byte, so that both send the same amount.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import express, { type RequestHandler } from 'express';
import { z } from 'zod';

/** What the starting process hands over, in a file. */
export interface BareTools {
  readonly token: string;
  /** Name of a tool and what it always answers; each takes `build_session_id`. */
  readonly answers: Readonly<Record<string, Record<string, unknown>>>;
}

const { token, answers } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as BareTools; // written by mcp-calls.ts

const input = z.strictObject({ build_session_id: z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/) });
const tools = Object.keys(answers).map((name) => ({
  name,
  description: name,
  inputSchema: {
    type: 'object' as const,
    properties: { build_session_id: { type: 'string' } },
    required: ['build_session_id'],
  },
}));

const handler = createMcpHandler(
  () => {
    const server = new Server({ name: 'bare', version: '0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', ({ params }) => {
      const output = answers[params.name];
      if (output === undefined || !input.safeParse(params.arguments).success) return { isError: true, content: [] };
      return { content: [{ type: 'text' as const, text: JSON.stringify(output) }], structuredContent: output };
    });
    return server;
  },
  { onerror: () => undefined },
);
const serve = toNodeHandler(handler);

const authenticate: RequestHandler = (request, response, next) => {
  if (request.headers.authorization === `Bearer ${token}`) return next();
  response.status(401).end();
};

const app = express().disable('x-powered-by').disable('etag');
app.post('/mcp', authenticate, express.json({ limit: '512kb' }), (request, response) => {
  void serve(request, response, request.body);
});
app.get('/readyz', (_request, response) => void response.json({ status: 'ready' }));
const server = app.listen(Number(process.env['PERDURE_HTTP_PORT'] ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  console.log(JSON.stringify({ port }));
});
process.on('SIGTERM', () => process.exit(0));
