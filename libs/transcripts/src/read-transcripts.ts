import { closeSync, openSync, readSync } from 'node:fs';
import { clientOf } from './clients/client-of.js';
import { CLIENT_NAMES, type ClientName } from './clients/transcript-client.js';
import { mergedTranscripts } from './merged-transcripts.js';
import { ownedParts } from './owned-responses.js';
import { reportOf, type ReadTranscript, type ReportOptions } from './report.js';
import { TranscriptReading } from './transcript-reading.js';
import type { TranscriptState } from './transcript-state.js';

/** One file of a transcript, as a finder names it. */
export interface TranscriptFile {
  readonly client: ClientName;
  readonly path: string;
  /** What its path says it is; the file itself may know better. */
  readonly id: string;
  readonly parentId?: string | null;
}

export interface ReadOptions extends ReportOptions {
  /** Called with the number of bytes that were read since. */
  readonly onBytes?: (count: number) => void;
}

export interface ReadTranscripts {
  /** By client, then by when they began: the order of the files does not matter. */
  readonly transcripts: readonly ReadTranscript[];
  /** Files that could not be read, with the reason. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
}

const CHUNK_BYTES = 256 * 1024;

/** Reads transcripts together: a response that several of them have is counted in one (U5, U6). */
export async function readTranscripts(
  files: Iterable<TranscriptFile> | AsyncIterable<TranscriptFile>,
  options: ReadOptions = {},
): Promise<ReadTranscripts> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  const states = new Map<ClientName, TranscriptState[]>(CLIENT_NAMES.map((name) => [name, []]));
  const unreadable: { path: string; reason: string }[] = [];
  for await (const file of files) {
    try {
      states.get(file.client)?.push(...readFile(file, buffer, options));
    } catch (error) {
      unreadable.push({ path: file.path, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  const transcripts = [...states].flatMap(([name, read]) => {
    const client = clientOf(name);
    const merged = mergedTranscripts(read, client.isShared === true);
    return ownedParts(client, merged).map((part) => reportOf(client, part, options));
  });
  return { transcripts, unreadable };
}

/** Reads at once, without leaving the thread between: handing chunks of cached files around costs as much as reading. */
function readFile(file: TranscriptFile, buffer: Buffer, { onBytes }: ReadOptions): TranscriptState[] {
  const reading = TranscriptReading.of(file.client, file);
  const handle = openSync(file.path, 'r');
  try {
    for (;;) {
      const length = readSync(handle, buffer, 0, buffer.length, null);
      if (length === 0) return reading.end();
      reading.write(buffer.subarray(0, length));
      onBytes?.(length);
    }
  } finally {
    closeSync(handle);
  }
}
