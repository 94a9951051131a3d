import type { ClientName } from '../index.js';
import { readBytes, type NamedBytes } from './read-bytes.js';

/** An instant of the day on which all invented transcripts are written. */
export const at = (second: number) => new Date(Date.UTC(2026, 10, 10, 10, 0, second)).toISOString();

/** What most cases look at: one line a transcript. */
export const sums = (client: ClientName, files: readonly NamedBytes[]) =>
  readBytes(client, files).map(({ report }) => ({
    id: report.transcript_id,
    turns: report.models.reduce((sum, { turns }) => sum + turns, 0),
    output: report.models.reduce((sum, { output_tokens: output }) => sum + output, 0),
    prompts: report.prompts,
    replayed: report.replayed_responses,
  }));
