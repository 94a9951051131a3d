import { isUtf8 } from 'node:buffer';
import { catalogue, DomainError, type ErrorCode, usageReport } from '@perdure/contracts';
import { checkText } from '@perdure/guard';
import { problemsIn } from '../dispatcher/parse-input.js';
import { refuseSecrets } from '../dispatcher/secret-guard.js';
import type { NdjsonLine } from './ndjson-lines.js';

/** A line of a batch as the inbox keeps it: a sound report that waits, or why it is none. */
export interface ReceivedItem {
  readonly line: number;
  /** JSON. Of a rejected one no more than the transcript it was for. */
  readonly report: string;
  readonly rejected: { readonly code: ErrorCode; readonly message: string } | null;
}

export function itemOfLine({ line, bytes }: NdjsonLine): ReceivedItem {
  if (!isUtf8(bytes)) return rejected(line, 'the line is not UTF-8');
  try {
    return itemOf(line, JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    // V8 quotes the text in its message.
    if (error instanceof SyntaxError) return rejected(line, 'the line is not JSON');
    throw error;
  }
}

/** Looks at one report as the dispatcher looks at the arguments of a call: text, schema, secrets. */
export function itemOf(line: number, value: unknown): ReceivedItem {
  const parsed = usageReport.safeParse(value);
  const [problem] = [...checkText(value), ...(parsed.success ? [] : problemsIn(parsed.error))];
  if (problem !== undefined) {
    const { path, message } = problem;
    return rejected(line, path === '' ? `the report ${message}` : `${path}: ${message}`, transcriptOf(value));
  }
  const secret = secretIn(value);
  if (secret !== null) return { line, report: 'null', rejected: { code: secret.code, message: secret.message } };
  return { line, report: JSON.stringify(parsed.data), rejected: null };
}

function secretIn(report: unknown): DomainError | null {
  try {
    refuseSecrets(catalogue.usage.submitUsageBatch, { reports: [report] }, null);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

const rejected = (line: number, message: string, transcriptId?: string): ReceivedItem => ({
  line,
  report: JSON.stringify(transcriptId === undefined ? null : { transcript_id: transcriptId }),
  rejected: { code: 'invalid_input', message },
});

/** So that its sender finds it; only when that much of it is sound. */
function transcriptOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('transcript_id' in value)) return undefined;
  const { transcript_id: id } = value;
  const told = usageReport.shape.transcript_id.safeParse(id);
  return told.success && checkText(id).length === 0 && secretIn({ transcript_id: id }) === null ? told.data : undefined;
}
