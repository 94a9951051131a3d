import type { ReportLine, ReportResult } from './report-line.js';
import type { UsageTransaction } from './usage-slots.js';
import type { PlacedReport } from './write-reports.js';

interface Resolved {
  readonly placed: (PlacedReport & { readonly line: number })[];
  readonly rejected: ReportResult[];
}

/**
 * Finds the build sessions and projects that reports name, all at once and before anything is written: one unknown
 * reference would otherwise fail the statement for all.
 */
export async function resolveReferences(tx: UsageTransaction, lines: readonly ReportLine[]): Promise<Resolved> {
  const sessions = await knownSessions(
    tx,
    lines.map(({ report }) => report.build_session_id),
  );
  const projects = await knownProjects(
    tx,
    lines.map(({ report }) => report.project),
  );
  const resolved: Resolved = { placed: [], rejected: [] };
  for (const { line, report } of lines) {
    const { build_session_id: session, project } = report;
    const projectId = project === undefined ? null : projects.get(project);
    if (session !== undefined && !sessions.has(session))
      resolved.rejected.push(unknown(line, 'build_session_id: there is no such build session'));
    else if (projectId === undefined) resolved.rejected.push(unknown(line, 'project: there is no such project'));
    else resolved.placed.push({ line, report, projectId });
  }
  return resolved;
}

const unknown = (line: number, message: string): ReportResult => ({
  line,
  status: 'rejected',
  code: 'not_found',
  message,
});

async function knownSessions(tx: UsageTransaction, named: readonly (string | undefined)[]): Promise<Set<string>> {
  const ids = namesOf(named);
  if (ids.length === 0) return new Set();
  const rows = await tx.rows<{ id: string }>(
    'SELECT id FROM build_session WHERE workspace_id = $1 AND id = ANY ($2::text[])',
    [tx.workspaceId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Ids of projects by what names them, id or slug. */
async function knownProjects(
  tx: UsageTransaction,
  named: readonly (string | undefined)[],
): Promise<Map<string, string>> {
  const names = namesOf(named);
  if (names.length === 0) return new Map();
  const rows = await tx.rows<{ id: string; slug: string }>(
    `SELECT id, slug FROM project WHERE workspace_id = $1 AND (id = ANY ($2::text[]) OR slug = ANY ($2::text[]))`,
    [tx.workspaceId, names],
  );
  return new Map(
    rows.flatMap(({ id, slug }) => [
      [slug, id],
      [id, id],
    ]),
  );
}

const namesOf = (named: readonly (string | undefined)[]): string[] => [
  ...new Set(named.filter((name) => name !== undefined)),
];
