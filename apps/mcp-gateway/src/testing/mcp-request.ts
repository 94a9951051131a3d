import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tokenOf, type TestGateway } from './gateway.js';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** One request as it stands: fetch would forbid `Host` and add an `Accept` of its own. An undefined header is not sent. */
export function send(
  { url }: TestGateway,
  {
    method = 'POST',
    path = '/mcp',
    headers = {},
    body = '',
  }: { method?: string; path?: string; headers?: Headers; body?: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent[name] = value;
    const request = httpRequest(`${url}${path}`, { method, headers: sent });
    request.once('error', reject);
    request.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) }),
      );
    });
    request.end(body);
  });
}

function parsed(text: string): Answer['json'] {
  try {
    return JSON.parse(text) as Answer['json']; // asserted on by the tests
  } catch {
    return undefined;
  }
}

/** Headers of an authenticated client; `Accept` as the specification wants it. */
export const clientHeaders = (actor = 'agent-1'): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${tokenOf(actor)}`,
});

/** A request of 2025-11-25: no envelope. */
export const legacyMessage = (method: string, params?: object, id: string | number = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });

/** A request of 2026-07-28 with the headers that must agree with it. */
export function modernMessage(method: string, params: Record<string, unknown> = {}, id: string | number = 1) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
  };
  const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {};
  return {
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
  };
}
