import { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { WorkspaceObject } from '@perdure/contracts';
import { streamWorkspaceRows } from '@perdure/store';
import type { DataSource } from 'typeorm';
import type { AgeRecipient } from './age-recipient.js';

/** Of the lines in the file; a reader refuses one that it does not know. */
const FORMAT = { format: 'perdure-workspace', version: 1 } as const;

interface WorkspaceFile {
  readonly dataSource: DataSource;
  readonly workspace: WorkspaceObject;
  readonly recipient: AgeRecipient;
  readonly exportedAt: string;
}

/**
 * A workspace as one encrypted file, made while it is read: rows as NDJSON, gzip, age. Whoever stops reading ends the
 * transaction behind it.
 */
export async function* workspaceFile(file: WorkspaceFile): AsyncGenerator<Uint8Array> {
  const compressed = createGzip();
  // The callback is for its being there: a failure reaches the reader as the error of the compressed stream.
  pipeline(Readable.from(linesOf(file)), compressed, () => undefined);
  const plain = Readable.toWeb(compressed) as ReadableStream<Uint8Array>; // Node's type for the same thing of the web
  const encrypted = await file.recipient().encrypt(plain);
  try {
    // Node's web streams are iterable; the types of the web do not say so.
    yield* encrypted as unknown as AsyncIterable<Uint8Array>;
  } finally {
    compressed.destroy();
  }
}

/** First what it is, then the rows, then how many there were: a file that was cut shows it, beside age's own seal. */
async function* linesOf({ dataSource, workspace, exportedAt }: WorkspaceFile): AsyncGenerator<string> {
  yield `${JSON.stringify({ ...FORMAT, workspace, exported_at: exportedAt })}\n`;
  const counts: Record<string, number> = {};
  for await (const { table, json } of streamWorkspaceRows(dataSource, workspace.id)) {
    counts[table] = (counts[table] ?? 0) + 1;
    yield `${json}\n`;
  }
  yield `${JSON.stringify({ end: true, rows: counts })}\n`;
}
