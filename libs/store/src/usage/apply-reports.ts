import type { ReportLine, ReportResult } from './report-line.js';
import { compareReports, type ReportStatus, type Standing, versionOf } from './report-version.js';
import { resolveReferences } from './report-references.js';
import { haveResponses, lockUsage, replaceResponses } from './usage-responses.js';
import { deriveSlots, type UsageTransaction } from './usage-slots.js';
import {
  insertReports,
  lockReports,
  namesResponses,
  type PlacedReport,
  replaceReports,
  type ReportOrigin,
} from './write-reports.js';

interface PlacedLine extends PlacedReport {
  readonly line: number;
}

/**
 * Applies reports as if one came after the other, in a fixed number of statements however many there are: U2 decides
 * which stands, U6 who owns the responses, and what totals are read from is replaced with it. The one implementation
 * for calls and for batches. The transaction must be READ COMMITTED: what is decided is read after its lock was had.
 *
 * Reports of transcripts are locked in the order of their ids, so that several workers never wait in a ring.
 *
 * @returns a result for each line, in their order; `rejected` with `not_found` for a reference that there is not
 */
export async function applyReports(
  tx: UsageTransaction,
  lines: readonly ReportLine[],
  origin: ReportOrigin,
): Promise<ReportResult[]> {
  const { placed, rejected } = await resolveReferences(tx, lines);
  const byTranscript = groupedInOrder(placed);
  const alone =
    placed.some(({ report }) => namesResponses(report)) || (await haveResponses(tx, [...byTranscript.keys()]));
  await lockUsage(tx, { alone });
  const fresh = [...byTranscript.values()].map((group) => decide(null, group, origin));
  const inserted = await insertReports(tx, winnersOf(fresh), origin);
  const [first, known] = partition(fresh, ({ transcriptId }) => inserted.has(transcriptId));
  const standing = await standingOf(tx, known);
  const later = known.map(({ transcriptId, group }) => decide(standing.get(transcriptId) ?? null, group, origin));
  const replacing = winnersOf(later);
  if (replacing.length > 0) await replaceReports(tx, replacing, origin);
  const losesResponses = later.some(
    ({ transcriptId, winner }) => winner !== undefined && standing.get(transcriptId)?.hasResponses === true,
  );
  // Somebody gave one of them responses since we looked. Two that meet here wait in a ring, which Postgres breaks: one of
  // them is tried again.
  if (losesResponses && !alone) await lockUsage(tx, { alone: true });
  await deriveFrom(tx, { written: winnersOf(first), replacing, ownersChange: alone || losesResponses });
  return [...rejected, ...first.flatMap(resultsOf), ...later.flatMap(resultsOf)].toSorted((a, b) => a.line - b.line);
}

interface Written {
  readonly written: readonly PlacedReport[];
  readonly replacing: readonly PlacedReport[];
  readonly ownersChange: boolean;
}

async function deriveFrom(tx: UsageTransaction, { written, replacing, ownersChange }: Written): Promise<void> {
  const reports = [...written, ...replacing].map(({ report }) => report);
  if (reports.length === 0) return;
  const sharing = ownersChange ? await replaceResponses(tx, reports) : [];
  const ids = [...reports.map((report) => report.transcript_id), ...sharing];
  await deriveSlots(tx, ids, { replaced: replacing.length + sharing.length > 0, responses: ownersChange });
}

interface Decision {
  readonly transcriptId: string;
  readonly group: readonly PlacedLine[];
  /** The line that stands in the end; undefined when what stood before does. */
  readonly winner: PlacedLine | undefined;
  readonly statuses: readonly ReportStatus[];
}

/** The lines of one transcript, one after the other, on what stands. */
function decide(standing: Standing | null, group: readonly PlacedLine[], { reportedAt }: ReportOrigin): Decision {
  let current = standing;
  let winner: PlacedLine | undefined;
  const statuses = group.map((line): ReportStatus => {
    const incoming = { version: versionOf(line.report), reportedAt };
    const status = compareReports(current, incoming);
    if (status === 'accepted' || status === 'overwritten') [current, winner] = [incoming, line];
    return status;
  });
  return { transcriptId: group[0]?.report.transcript_id ?? '', group, winner, statuses };
}

const resultsOf = ({ group, statuses }: Decision): ReportResult[] =>
  group.map(({ line }, place) => ({ line, status: statuses[place] ?? 'unchanged', code: null, message: null }));

const winnersOf = (decisions: readonly Decision[]): PlacedLine[] =>
  decisions.flatMap(({ winner }) => (winner === undefined ? [] : [winner]));

function standingOf(tx: UsageTransaction, known: readonly Decision[]) {
  if (known.length === 0) return Promise.resolve(new Map<string, never>());
  return lockReports(
    tx,
    known.map(({ transcriptId }) => transcriptId),
  );
}

/** By transcript in the order of their ids; the lines of one in the order in which they came. */
function groupedInOrder(lines: readonly PlacedLine[]): Map<string, PlacedLine[]> {
  const groups = new Map<string, PlacedLine[]>();
  for (const line of lines.toSorted((a, b) => a.line - b.line)) {
    const { transcript_id: id } = line.report;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [line]);
    else group.push(line);
  }
  return new Map([...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function partition<Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
