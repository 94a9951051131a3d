import { open } from 'node:fs/promises';
import type { ClientName } from '../clients/transcript-client.js';

/** So much of a file names its client. */
const HEAD_BYTES = 64 * 1024;

/** Words with their quotes that stand in the first records of one client and of no other; the first that fits. */
const MARKS: readonly [ClientName, RegExp][] = [
  ['codex', /"(?:session_meta|turn_context|event_msg|response_item)"/],
  ['copilot-cli', /"session\.(?:start|shutdown)"/],
  ['gemini-cli', /"projectHash"|"type"\s*:\s*"gemini"|"\$set"/],
  ['opencode', /"sessionID"|"modelID"/],
  ['claude-code', /"sessionId"|"file-history-snapshot"|"leafUuid"/],
];

/** @returns whose transcript a file looks like, or null */
export async function clientOfFile(file: string): Promise<ClientName | null> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.toString('latin1', 0, bytesRead);
    return MARKS.find(([, mark]) => mark.test(head))?.[0] ?? null;
  } finally {
    await handle.close();
  }
}
