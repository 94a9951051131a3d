import { callTool } from '@perdure/mcp';
import { answered, type FixtureCall, type FixtureTool } from './fixture.js';

const LOGGED = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];

const PROGRESS = [0, 50, 100];

/** Tools that say something besides their answer, or refuse. */
export const reportingTools: Readonly<Record<string, FixtureTool>> = {
  test_error_handling: {
    description: 'Refuses, as the tools of the catalogue do.',
    run: ({ toolCall }) => callTool('run_operation', { name: 'no_such_operation' }, toolCall),
  },
  test_tool_with_logging: { description: 'Logs three lines to the client.', run: logs },
  test_logging_tool: {
    description: 'Logs a line to a client that asked for it.',
    run: async ({ context }) => {
      await context.mcpReq.log('info', 'logged');
      return answered('logged where it was asked for');
    },
  },
  test_tool_with_progress: { description: 'Reports its progress three times.', run: reportsProgress },
  test_streaming_elicitation: {
    description: 'Answers, and sends no request of its own.',
    run: () => answered('answered without a question'),
  },
  test_trigger_tool_change: {
    description: 'Tells who listens that the list of tools changed.',
    run: ({ changes }) => {
      changes.toolsChanged();
      return answered('told');
    },
  },
  test_trigger_prompt_change: {
    description: 'Tells who listens that the list of prompts changed.',
    run: ({ changes }) => {
      changes.promptsChanged();
      return answered('told');
    },
  },
};

async function logs({ context }: FixtureCall) {
  for (const data of LOGGED) {
    await context.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
  }
  return answered('logged');
}

/** Only a client that gave a token is told (basic/utilities/progress). */
async function reportsProgress({ context }: FixtureCall) {
  const token = context.mcpReq._meta?.progressToken;
  for (const progress of token === undefined ? [] : PROGRESS) {
    const params = { progressToken: token, progress, total: 100 };
    await context.mcpReq.notify({ method: 'notifications/progress', params });
  }
  return answered(`reported to ${String(token ?? 'nobody')}`);
}
