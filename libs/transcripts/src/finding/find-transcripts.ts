import { CLIENT_NAMES, type ClientName } from '../clients/transcript-client.js';
import type { TranscriptFile } from '../read-transcripts.js';
import { clientOfFile } from './client-of-file.js';
import { identityOfPath } from './file-identity.js';
import { placesOf, type Home } from './places.js';
import { walkFiles } from './walk-files.js';

export interface FoundTranscript extends TranscriptFile {
  readonly bytes: number;
}

/** The transcripts of the clients where each keeps them; a file that several roots lead to is found once. */
export async function findTranscripts(
  home: Home,
  clients: readonly ClientName[] = CLIENT_NAMES,
): Promise<FoundTranscript[]> {
  const found: FoundTranscript[] = [];
  const seen = new Set<string>();
  for (const client of clients) {
    for (const place of placesOf(client, home)) found.push(...(await filesOf(client, place, seen)));
  }
  return found;
}

/**
 * The transcripts among given files and folders.
 *
 * @param client whose they are; without it each file is looked into, and one that no client wrote is left out
 */
export async function transcriptsAt(paths: readonly string[], client?: ClientName): Promise<FoundTranscript[]> {
  const found: FoundTranscript[] = [];
  const seen = new Set<string>();
  for (const root of paths) found.push(...(await filesOf(client ?? null, root, seen)));
  return found;
}

async function filesOf(known: ClientName | null, root: string, seen: Set<string>): Promise<FoundTranscript[]> {
  const found: FoundTranscript[] = [];
  for await (const { path, bytes } of walkFiles(root, seen)) {
    if (!/\.jsonl?$/.test(path)) continue;
    const client = known ?? (await clientOfFile(path).catch(() => null));
    const identity = client && identityOfPath(client, path);
    if (client && identity) found.push({ client, path, bytes, ...identity });
  }
  return found;
}
