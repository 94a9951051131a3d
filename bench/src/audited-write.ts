import { catalogue } from '@perdure/contracts';
import { Pool } from 'pg';
import type { BenchDatabase } from './bench-cluster.js';
import type { BenchContext } from './context.js';
import { openInstallation, type Agent } from './installation.js';
import { rateFigure, type Figure, type Measurement } from './report.js';
import { closedLoop, compare } from './rounds.js';
import { createUnauditedTable, unauditedAppend, type DecisionInput } from './unaudited-append.js';

const LEAST_OF_UNAUDITED = 0.6;
const WORKSPACES = [1, 100];
const WRITERS = [16, 64];

/** About what an agent writes: a title, a paragraph of reasons, a few paths. */
const DECISION: DecisionInput = {
  title: 'Keep the lock on the row from read to commit',
  rationale_markdown: `Two agents demoted the same lead. ${'The update read a version that was gone by then. '.repeat(6)}`,
  decided_on: '2026-01-15',
  changes_public_contract: false,
  tags: ['locking', 'sessions'],
  paths: ['libs/operations/src/sessions/current-state.ts'],
};

/** append_decision_log through the dispatcher, against the same statements without parsing, rights and audit. */
export async function measureAuditedWrite(context: BenchContext): Promise<Measurement> {
  const figures: Figure[] = [];
  for (const workspaces of WORKSPACES) {
    const database = await context.cluster.createDatabase(`bench_write_${workspaces}`);
    await createUnauditedTable(database.ownerUrl);
    figures.push(...(await figuresFor(database, workspaces, context)));
  }
  return {
    name: 'audited-write',
    title: 'Audited writes (append_decision_log), committed per second',
    method: [
      'Ours: createOperations(…).run in this process: text gate, secrets, schema, scope, transaction with the tenant set, decision, audit event with payload and place in the pending set, commit with fsync. No audit-writer runs meanwhile.',
      'Ceiling: the same statements but the audit one, by hand over node-postgres, in the same order in one transaction: tenant set, the open session locked, INSERT of the same columns into a table with the same indexes, checks, foreign keys and row-level security, the row read back, commit.',
      'Each writer has a connection, an actor and an open session of its own; writers are spread evenly over the workspaces.',
    ],
    figures,
  };
}

async function figuresFor(database: BenchDatabase, workspaces: number, { plan }: BenchContext): Promise<Figure[]> {
  const most = Math.max(...WRITERS);
  const setUp = await openInstallation(database, { poolSize: 8 });
  const agents = await setUp.agents(Math.max(most, workspaces), workspaces);
  await setUp.close();
  const figures: Figure[] = [];
  for (const writers of WRITERS) {
    const installation = await openInstallation(database, { poolSize: writers });
    const pool = new Pool({ connectionString: database.appUrl, max: writers, pipeline: true });
    // Writers take turns over the workspaces' agents, so that 16 writers reach all of a hundred workspaces.
    const turns = Array.from({ length: writers }, (_, writer) => agentsOf(agents, writer, writers));
    const comparison = await compare(
      (ms) =>
        closedLoop(writers, ms, async (writer) => {
          const { caller } = turns[writer]?.next().value ?? missing();
          await installation.call(catalogue.decisions.appendDecisionLog, caller, DECISION);
        }),
      (ms) =>
        closedLoop(writers, ms, (writer) => unauditedAppend(pool, turns[writer]?.next().value ?? missing(), DECISION)),
      plan,
    );
    await installation.close();
    await pool.end();
    const name = `${workspaces} workspace${workspaces === 1 ? '' : 's'}, ${writers} writers`;
    figures.push(rateFigure(name, 'writes/s', comparison, LEAST_OF_UNAUDITED));
  }
  return figures;
}

/** The agents of one writer, round and round. */
function* agentsOf(agents: readonly Agent[], writer: number, writers: number): Generator<Agent, never> {
  for (let turn = writer; ; turn += writers) {
    yield agents[turn % agents.length] ?? missing();
  }
}

function missing(): never {
  throw new Error('there is no agent for this writer');
}
