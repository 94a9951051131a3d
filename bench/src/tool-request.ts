import { postRequest } from './http-connection.js';

const VERSION = '2026-07-28';

/** A tool call of the current protocol, as its clients send it. */
export function toolRequest(token: string, name: string, args: Readonly<Record<string, unknown>>): Buffer {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  };
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args, _meta },
  });
  const headers = {
    authorization: `Bearer ${token}`,
    'mcp-protocol-version': VERSION,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
  return postRequest('/mcp', headers, body);
}
