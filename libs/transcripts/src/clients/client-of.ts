import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { copilotCli } from './copilot-cli.js';
import { geminiCli } from './gemini-cli.js';
import { opencode } from './opencode.js';
import type { ClientName, TranscriptClient } from './transcript-client.js';

const CLIENTS: Readonly<Record<ClientName, TranscriptClient>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  opencode,
  'copilot-cli': copilotCli,
};

export const clientOf = (name: ClientName): TranscriptClient => CLIENTS[name];
