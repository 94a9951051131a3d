import os from 'node:os';
import type { UsageTranscript } from '@perdure/contracts';
import {
  findTranscripts,
  readTranscripts,
  transcriptsAt,
  type ClientName,
  type FoundTranscript,
  type ReadTranscripts,
} from '@perdure/transcripts';
import { readWorkplace } from '@perdure/workplace';
import type { Terminal } from '../admin/operation-command.js';
import { CommandFailure, EXIT } from '../exit-status.js';
import { readSessionStates } from '../hooks/session-state.js';
import { serverOf } from '../place/place.js';
import { readSettings } from '../place/settings.js';
import type { Arguments } from '../rest/call-operation.js';
import type { ServerAddress } from '../rest/server-address.js';
import { progressBar } from './progress-bar.js';
import { batchesOf, reportLine, type UsageBatch } from './usage-batches.js';
import { UsageSpool } from './usage-spool.js';
import { sendBatch } from './send-batch.js';

export interface ReportOptions {
  readonly client?: ClientName;
  readonly project?: string;
  readonly buildSession?: string;
  readonly responses: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `perdure usage report`. @throws CommandFailure when nothing could be sent, after keeping it for the next run */
export async function reportUsage(paths: readonly string[], options: ReportOptions, terminal: Terminal): Promise<void> {
  const server = options.dryRun === true ? null : await configuredServer(terminal);
  const files = await filesOf(paths, options, terminal);
  const read = await readAll(files, options, terminal);
  for (const { path, reason } of read.unreadable) terminal.stderr.write(`Left out ${path}: ${reason}\n`);
  const sessions = await sessionsOf(terminal);
  const lines = read.transcripts.map(({ report }) =>
    reportLine({ ...belongingOf(report, sessions, options), ...report }),
  );
  if (server !== null)
    return handIn(batchesOf(lines), { server, count: lines.length, isJson: options.json === true }, terminal);
  if (options.json === true) return writeReports(lines, terminal);
  terminal.stdout.write(`${inWords(read)}\nNothing was sent.\n`);
}

/** What a hook noted in this checkout: client session → build session. */
async function sessionsOf({ cwd }: Terminal): Promise<ReadonlyMap<string, string>> {
  const workplace = await readWorkplace(cwd());
  return workplace === null ? new Map() : readSessionStates(workplace.root);
}

/** A sub-agent worked in the session of its parent. */
function belongingOf(
  report: UsageTranscript,
  sessions: ReadonlyMap<string, string>,
  { project, buildSession }: ReportOptions,
): Arguments {
  const { transcript_id: id, parent_transcript_id: parent = '' } = report;
  const session = buildSession ?? sessions.get(id) ?? sessions.get(parent);
  return {
    ...(session === undefined ? {} : { build_session_id: session }),
    ...(project === undefined ? {} : { project }),
  };
}

async function configuredServer({ env, cwd }: Terminal): Promise<ServerAddress> {
  const settings = await readSettings(cwd(), env);
  const server = serverOf(settings, settings.token);
  if (server !== null) return server;
  const missing =
    settings.url === undefined ? 'PERDURE_URL, where the api is' : 'PERDURE_TOKEN, a credential with usage:write';
  throw new CommandFailure(EXIT.usage, `Not set: ${missing}. To look at the reports alone: --dry-run --json`);
}

function filesOf(paths: readonly string[], { client }: ReportOptions, { env }: Terminal): Promise<FoundTranscript[]> {
  if (paths.length > 0) return transcriptsAt(paths, client);
  const home = { folder: env['HOME'] || os.homedir(), platform: process.platform, env };
  return findTranscripts(home, client === undefined ? undefined : [client]);
}

async function readAll(
  files: readonly FoundTranscript[],
  { responses }: ReportOptions,
  { stderr }: Terminal,
): Promise<ReadTranscripts> {
  const bar = progressBar(
    stderr,
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  try {
    return await readTranscripts(files, { responses, onBytes: bar.advance });
  } finally {
    bar.end();
  }
}

/** Piece by piece: a year of transcripts is more text than one string holds. */
function writeReports(lines: readonly string[], { stdout }: Terminal): void {
  stdout.write('{"reports":[');
  for (const [index, line] of lines.entries()) stdout.write(index === 0 ? `\n${line}` : `,\n${line}`);
  stdout.write('\n]}\n');
}

function inWords({ transcripts }: ReadTranscripts): string {
  const models = transcripts.flatMap(({ report }) => report.models);
  const turns = models.reduce((sum, one) => sum + one.turns, 0);
  const replayed = transcripts.reduce((sum, { report }) => sum + (report.replayed_responses ?? 0), 0);
  const warned = transcripts.filter(({ report }) => (report.warnings ?? []).length > 0).length;
  return `${transcripts.length} transcripts, ${turns} turns; ${replayed} copied responses left out, ${warned} transcripts with warnings.`;
}

interface HandIn {
  readonly server: ServerAddress;
  readonly count: number;
  readonly isJson: boolean;
}

/** What was kept goes first. What cannot be sent now is kept, under the key that makes it one batch however often it goes. */
async function handIn(
  batches: readonly UsageBatch[],
  { server, count, isJson }: HandIn,
  terminal: Terminal,
): Promise<void> {
  const spool = new UsageSpool(terminal.env, server);
  const sent: Arguments[] = [];
  try {
    const kept = await sendKept(spool, server, terminal);
    sent.push(...kept.values());
    for (const batch of batches) if (!kept.has(batch.key)) sent.push(await sendBatch(server, batch));
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.status !== EXIT.unreachable) throw error;
    for (const batch of batches) await spool.keep(batch);
    const next = `${count} reports are kept in ${spool.folder} and go with the next one.`;
    throw new CommandFailure(error.status, `${error.message}\n${next}`);
  }
  if (isJson) return void terminal.stdout.write(`${JSON.stringify({ batches: sent }, null, 2)}\n`);
  const names = sent.map((one) => String(one['batch_id'])).join(', ');
  terminal.stdout.write(`${count} reports handed in${names === '' ? '' : ` as ${names}`}.\n`);
}

/** A kept batch that the server refuses would stand in the way for ever; its transcripts can be read again. */
async function sendKept(
  spool: UsageSpool,
  server: ServerAddress,
  { stderr }: Terminal,
): Promise<Map<string, Arguments>> {
  const sent = new Map<string, Arguments>();
  for (const key of await spool.keys()) {
    try {
      sent.set(key, await sendBatch(server, await spool.read(key)));
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.status !== EXIT.refused) throw error;
      stderr.write(`A kept batch was refused and is dropped: ${error.message}\n`);
    }
    await spool.remove(key);
  }
  return sent;
}
