import { clientOf } from '../clients/client-of.js';
import type { ClientName } from '../clients/transcript-client.js';
import { mergedTranscripts } from '../merged-transcripts.js';
import { ownedParts } from '../owned-responses.js';
import { reportOf, type ReadTranscript } from '../report.js';
import { TranscriptReading, type FileIdentity } from '../transcript-reading.js';
import type { TranscriptState } from '../transcript-state.js';

export interface NamedBytes extends FileIdentity {
  readonly bytes: Buffer | string;
}

/** Reads transcripts together that stand in memory. */
export function readBytes(client: ClientName, files: readonly NamedBytes[]): ReadTranscript[] {
  return reportsOf(
    client,
    files.flatMap((file) => {
      const reading = TranscriptReading.of(client, file);
      reading.write(Buffer.from(file.bytes));
      return reading.end();
    }),
  );
}

/** Reads one transcript of records, a line each. */
export function readRecords(client: ClientName, records: readonly object[], id = 'one'): ReadTranscript {
  const [read] = readBytes(client, [{ id, bytes: linesOf(records) }]);
  if (read === undefined) throw new Error('there is a report for every file');
  return read;
}

export const linesOf = (records: readonly object[]): string =>
  records.map((one) => `${JSON.stringify(one)}\n`).join('');

export function reportsOf(client: ClientName, states: readonly TranscriptState[]): ReadTranscript[] {
  const counted = clientOf(client);
  const merged = mergedTranscripts(states, counted.isShared === true);
  return ownedParts(counted, merged).map((part) => reportOf(counted, part, { responses: true }));
}

/** All tokens of reports, and their turns. */
export function tokensOf(read: readonly ReadTranscript[]): number {
  return read
    .flatMap(({ report }) => report.models)
    .flatMap(({ model: _model, ...counts }) => Object.values(counts))
    .reduce((sum, count) => sum + count, 0);
}
