import path from 'node:path';
import type { StackFile } from './stack-file.js';

export interface QueueChoice {
  kind: 'given' | 'redis' | 'postgres';
  /** One phrase for the ready line. */
  description: string;
}

interface Ready {
  readonly stack: StackFile;
  readonly queue: QueueChoice;
  readonly dataDir: string;
  /** Works once, for an hour. */
  readonly signInUrl: string;
}

/** What a new user needs next, printed once everything serves. */
export function readyBlock({ stack, queue, dataDir, signInUrl }: Ready): string {
  const rows = [
    ['sign in', `${signInUrl} (once, within the hour)`],
    ['API docs', `${stack.api_url}/v1/docs`],
    ['MCP', stack.mcp_url],
    ['queue', queue.description],
    ['data', dataDir],
    ['stop', 'Ctrl-C'],
  ];
  const table = rows.map(([name, value]) => `  ${String(name).padEnd(10)} ${value}`).join('\n');
  return `
Perdure is ready.
${table}

Connect Claude Code (workspace demo, project ${stack.project}):
  ${claudeCommand(stack)}

Run that in a second terminal, in the repository you work in. Tokens of the other roles are in
  ${path.join(dataDir, 'stack.json')}
`;
}

function claudeCommand(stack: StackFile): string {
  return `claude mcp add --transport http perdure ${stack.mcp_url} --header "Authorization: Bearer ${stack.agent_token}"`;
}
