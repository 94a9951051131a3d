import { DomainError, type McpClient } from '@perdure/contracts';

/** The configuration of each client with which it connects to this installation, as that client's file or command has it. */
const FORMS: Readonly<Record<McpClient, (url: string, token: string) => string>> = {
  claude_code: (url, token) =>
    `claude mcp add --transport http perdure ${url} --header "Authorization: Bearer ${token}"`,
  codex: (url, token) =>
    `[mcp_servers.perdure]\nurl = ${JSON.stringify(url)}\nhttp_headers = { Authorization = "Bearer ${token}" }\n`,
  cursor: (url, token) => json({ mcpServers: { perdure: { url, headers: bearer(token) } } }),
  gemini_cli: (url, token) => json({ mcpServers: { perdure: { httpUrl: url, headers: bearer(token) } } }),
  vscode: (url, token) => json({ servers: { perdure: { type: 'http', url, headers: bearer(token) } } }),
};

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const json = (value: unknown) => JSON.stringify(value, null, 2);

/**
 * Makes the text of a client's configuration from a token; null when none was asked for.
 *
 * @throws DomainError `unprocessable` when this installation does not know its own address
 */
export function mcpConfigFor(client: McpClient | null, mcpUrl: string | null): ((token: string) => string) | null {
  if (client === null) return null;
  if (mcpUrl === null) {
    throw new DomainError(
      'unprocessable',
      'This installation does not know its MCP address: set PERDURE_PUBLIC_MCP_URL.',
    );
  }
  return (token) => FORMS[client](mcpUrl, token);
}
