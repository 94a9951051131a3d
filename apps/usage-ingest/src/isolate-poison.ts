import {
  applyReports,
  type ReportLine,
  type ReportOrigin,
  type ReportResult,
  type UsageTransaction,
} from '@perdure/store';

/**
 * Applies reports all at once. Do their values fail the statement, they are applied in halves until the transcript that
 * does it stands alone and is rejected: it costs a dozen statements, and nobody else anything. Lines of one transcript
 * stay together, for they are one after the other.
 */
export async function applyIsolating(
  tx: UsageTransaction,
  lines: readonly ReportLine[],
  origin: ReportOrigin,
): Promise<ReportResult[]> {
  if (lines.length === 0) return [];
  await tx.run('SAVEPOINT reports');
  try {
    const results = await applyReports(tx, lines, origin);
    await tx.run('RELEASE SAVEPOINT reports');
    return results;
  } catch (error) {
    if (!isAboutValues(error)) throw error;
    await tx.run('ROLLBACK TO SAVEPOINT reports');
  }
  const halves = halved(lines);
  if (halves === null) return lines.map(rejected);
  const results: ReportResult[] = [];
  for (const half of halves) results.push(...(await applyIsolating(tx, half, origin)));
  return results;
}

/** SQLSTATE classes 22 and 23: what a value is, or what it breaks. A lost connection or a deadlock says nothing of it. */
const isAboutValues = (error: unknown): boolean => /^2[23]...$/.test(sqlStateOf(error));

export function sqlStateOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function halved(lines: readonly ReportLine[]): [ReportLine[], ReportLine[]] | null {
  const transcripts = [...new Set(lines.map(({ report }) => report.transcript_id))].toSorted();
  if (transcripts.length < 2) return null;
  const lower = new Set(transcripts.slice(0, transcripts.length / 2));
  return [
    lines.filter(({ report }) => lower.has(report.transcript_id)),
    lines.filter(({ report }) => !lower.has(report.transcript_id)),
  ];
}

const rejected = ({ line }: ReportLine): ReportResult => ({
  line,
  status: 'rejected',
  code: 'invalid_input',
  message: 'the report holds a value that cannot be stored',
});
