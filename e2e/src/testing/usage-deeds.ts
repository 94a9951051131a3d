import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { catalogue, type UsageTotalsObject } from '@perdure/contracts';
import { readTranscripts, transcriptsAt } from '@perdure/transcripts';
import type { Deed, FieldWorld } from './field-world.js';

/** What was reported in the end, once for each way to report it. */
export type ReportedTotals = readonly Pick<UsageTotalsObject, 'turns' | 'input_tokens' | 'output_tokens'>[];

type Line = Readonly<Record<string, unknown>>;

const at = (second: number): string => `2026-11-10T12:00:${String(second).padStart(2, '0')}.000Z`;

/** Sums so far, as Codex writes them after each turn and whenever it draws its status line anew. */
const tokenCount = (second: number, input: number, output: number): Line => ({
  timestamp: at(second),
  type: 'event_msg',
  payload: {
    type: 'token_count',
    info: { total_token_usage: { input_tokens: input, output_tokens: output, total_tokens: input + output } },
  },
});

const ROLLOUT: readonly Line[] = [
  {
    timestamp: at(1),
    type: 'session_meta',
    payload: { id: '01970000-0000-7000-8000-000000000001', cli_version: '0.171.0' },
  },
  { timestamp: at(2), type: 'turn_context', payload: { model: 'gpt-5' } },
  ...[3, 4, 5].map((second) => tokenCount(second, 1_000, 100)),
  ...[6, 7, 8, 9].map((second) => tokenCount(second, 3_000, 300)),
];

const SESSIONS = [1, 2, 3].map((number) => `5e551000-0000-4000-a000-00000000000${number}`);

/** One line of a response of Claude Code, which writes one for each block of it. */
const claudeLine = (session: string, id: string, second: number): Line => ({
  sessionId: session,
  type: 'assistant',
  requestId: `req_${id}`,
  uuid: `${session}-${id}-${second}`,
  timestamp: at(second),
  message: {
    id: `msg_${id}`,
    model: 'claude-opus-4-8',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'ok' }],
    usage: { input_tokens: 10, output_tokens: 5 },
  },
});

/** Each session begins with all of the one that it resumes. */
const resumed = (session: string, count: number): Line[] =>
  Array.from({ length: count }, (_, index) => claudeLine(session, `r${index}`, 10 + index));

export const USAGE_DEEDS: Readonly<Record<string, Deed>> = {
  'a rollout of two real turns (3,300 tokens) whose token_count events are written again and again': (world) =>
    inEveryOrder(world, [
      {
        name: 'rollout-2026-11-10T12-00-01-01970000-0000-7000-8000-000000000001.jsonl',
        lines: ROLLOUT,
        client: 'codex',
      },
    ]),

  'a transcript with several lines for one message id, the same usage on each': (world) =>
    inEveryOrder(world, [
      {
        name: `${SESSIONS[0]}.jsonl`,
        lines: [1, 2, 3].map((second) => claudeLine(SESSIONS[0] ?? '', 'a', second)),
        client: 'claude-code',
      },
    ]),

  'one session resumed twice: three files that share message ids': (world) =>
    inEveryOrder(
      world,
      SESSIONS.map((session, index) => ({
        name: `${session}.jsonl`,
        lines: resumed(session, index + 2),
        client: 'claude-code',
      })),
    ),
};

interface Written {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly client: 'claude-code' | 'codex';
}

/** Reads each file by itself, as hooks do, and reports it twice, in every order, each order to a workspace of its own. */
async function inEveryOrder(world: FieldWorld, files: readonly Written[]): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-field-'));
  const totals: ReportedTotals[number][] = [];
  try {
    for (const { name, lines } of files) {
      writeFileSync(path.join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    }
    for (const order of permutations(files)) {
      await world.enterWorkspace();
      for (const file of [...order, ...order]) await report(world, path.join(folder, file.name), file.client);
      totals.push(await summed(world));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  world.found.set('totals', totals);
}

async function report({ stack, owner, names }: FieldWorld, file: string, client: Written['client']): Promise<void> {
  const { call } = stack.installation;
  const { build_session } = await call(catalogue.sessions.startBuildSession, owner, {
    project: names['$P'] ?? '',
    computer: 'mac-1',
    branch: 'main',
  });
  const { transcripts } = await readTranscripts(await transcriptsAt([file], client), { responses: true });
  await call(catalogue.usage.recordBuildSessionUsage, owner, {
    build_session_id: build_session.id,
    transcripts: transcripts.map((read) => read.report),
  });
}

async function summed({ stack, owner }: FieldWorld): Promise<ReportedTotals[number]> {
  const asked = { from: '2026-11-10', to: '2026-11-10', group_by: ['day' as const] };
  const { totals } = await stack.installation.call(catalogue.usage.summariseUsage, owner, asked);
  const { turns, input_tokens, output_tokens } = totals;
  return { turns, input_tokens, output_tokens };
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
