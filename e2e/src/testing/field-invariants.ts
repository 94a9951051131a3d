import type { BuildSessionObject, DecisionObject, PullRequestObject } from '@perdure/contracts';
import type { FieldWorld } from './field-world.js';
import type { HandshakeReads } from './handshake-reads.js';
import { LEDGER_INVARIANTS } from './ledger-invariants.js';
import { countOf } from './stored-chain.js';
import type { ReportedTotals } from './usage-deeds.js';

type Invariant = (world: FieldWorld) => Promise<void>;

/** Answers as the contract types them; the gateway has checked them against it. */
const sessionOf = (result: Readonly<Record<string, unknown>> | undefined) =>
  result?.['build_session'] as BuildSessionObject;
/** The same. */
const decisionOf = (result: Readonly<Record<string, unknown>> | undefined) => result?.['decision'] as DecisionObject; // as above

const decisionCount = ({ stack, workspaceId }: FieldWorld) => countOf(stack.admin, 'decision', [workspaceId]);

const appended = (world: FieldWorld) =>
  world.answers.filter(({ op }) => op === 'append_decision_log').map(({ result }) => decisionOf(result));

/** Every one of these events stands in the chain, which has no gap and each event once. */
async function expectChained(world: FieldWorld, type: string, count: number): Promise<void> {
  const chain = await world.gaplessChain();
  expect(chain.filter((entry) => entry.type === type)).toHaveLength(count);
  expect(await world.events(type)).toHaveLength(count);
}

/** What the cases say in words of all their answers together and of what is then stored. */
export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  ...LEDGER_INVARIANTS,

  'B01-parallel-starts': async (world) => {
    const answers = world.savedCopies('r').map(({ result }) => result);
    expect(answers.filter((result) => result?.['resumed'] === false)).toHaveLength(1);
    expect(answers.filter((result) => result?.['resumed'] === true)).toHaveLength(49);
    expect(new Set(answers.map((result) => sessionOf(result).id)).size).toBe(1);
    expect(await countOf(world.stack.admin, 'build_session', [world.workspaceId])).toBe(1);
    await expectChained(world, 'build_session.started', 1);
  },

  'B02-actors-interleaved': async (world) => {
    const decisions = appended(world);
    expect(decisions).toHaveLength(200);
    const [sa, sb] = [sessionOf(world.answer('sa')).id, sessionOf(world.answer('sb')).id];
    expect(sa).not.toBe(sb);
    for (const { title, build_session_id } of decisions) expect(build_session_id).toBe(title[0] === 'A' ? sa : sb);
  },

  'B07-two-corrections': async (world) => {
    const answers = world.savedCopies('c');
    const stored = answers.flatMap(({ result }) => (result === undefined ? [] : [decisionOf(result)]));
    const refusals = answers.flatMap(({ error }) => (error === undefined ? [] : [error]));
    expect(stored).toHaveLength(1);
    expect(refusals).toMatchObject([{ code: 'already_superseded', kind: 'conflict' }]);
    expect(JSON.stringify(refusals[0]?.details)).toContain(stored[0]?.id);
    expect(await decisionCount(world)).toBe(2);
    await expectChained(world, 'decision.corrected', 1);
  },

  'B08-same-pr-twice': async (world) => {
    const added = world.savedCopies('r').map(({ result }) => result?.['added']);
    expect(added.toSorted()).toEqual([0, 1]);
    expect(await countOf(world.stack.admin, 'build_session_pr', [world.workspaceId])).toBe(1);
    await expectChained(world, 'build_session.prs_recorded', 1);
  },

  'B10-second-gateway': async (world) => {
    expect(world.gateways).toHaveLength(2);
    for (const { url } of [...world.gateways, ...world.stack.writers]) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    }
    expect(await decisionCount(world)).toBe(200);
    await expectChained(world, 'decision.appended', 200);
  },

  'B11-two-writers': async (world) => {
    expect(new Set(world.savedCopies('r').map(({ result }) => sessionOf(result).id)).size).toBe(100);
    await expectChained(world, 'build_session.started', 100);
  },

  'B17-pr-of-other-repo': async (world) => {
    const prs = world.answer('r')['prs'] as PullRequestObject[]; // the contract's output
    expect(prs).toMatchObject([{ repository: 'acme/other', number: 3 }]);
    expect(sessionOf(world.answer('m'))).toMatchObject({ project_id: world.names['$P2'], prs });
    await expectChained(world, 'build_session.project_reassigned', 1);
  },

  'B19-two-worktrees': async (world) => {
    const [s1, s2] = [sessionOf(world.answer('s1')), sessionOf(world.answer('s2'))];
    expect(s1.id).not.toBe(s2.id);
    expect([s1.project_id, s2.project_id]).toEqual([world.names['$P'], world.names['$P']]);
    const { items } = world.answer('l') as { items: DecisionObject[] }; // the contract's output
    expect(items.map(({ title }) => title)).toEqual(['Shared']);
    const states = await Promise.all([s1, s2].map(({ id }) => currentState(world, id)));
    expect(states[0]).toContain('only one');
    expect(states[1]).toBe(sessionOf(world.answer('g')).current_state_markdown);
    expect(states[1]).not.toContain('only one');
  },

  'B35-initialize-is-cheap': async ({ found }) => {
    const { byHandshakes, byList } = found.get('reads') as HandshakeReads; // put there by the deed
    expect(byList).toContain('build_session');
    // Who asks, and twice a second whether a credential, a member or a workspace changed.
    const identity = ['actor', 'credential', 'member', 'schema_migration', 'workspace', 'workspace_tombstone'];
    expect(byHandshakes.filter((table) => !identity.includes(table))).toEqual([]);
  },

  'B43-reemitted-counts': async (world) =>
    expectTotals(world, 1, { turns: 2, input_tokens: 3_000, output_tokens: 300 }),
  'B44-one-row-a-block': async (world) => expectTotals(world, 1, { turns: 1, input_tokens: 10, output_tokens: 5 }),
  // Two responses, then one more in each of the sessions that go on from there.
  'B46-resumed-copies': async (world) => expectTotals(world, 6, { turns: 4, input_tokens: 40, output_tokens: 20 }),

  'B55-read-back': async (world) => {
    expect((await world.gaplessChain()).filter(({ seq }) => seq === 0)).toHaveLength(1);
    await expectChained(world, 'decision.appended', 64);
  },

  'B56-no-fork': async (world) => {
    expect(await decisionCount(world)).toBe(6400);
    const chain = await world.gaplessChain();
    expect(chain.filter(({ type }) => type === 'decision.appended')).toHaveLength(6400);
  },

  'B61-supersede-unknown': async (world) => {
    expect(await decisionCount(world)).toBe(0);
    expect(await world.events('decision.corrected')).toEqual([]);
    const entry = {
      title: 'x',
      rationale_markdown: 'x',
      decided_on: '2026-11-30',
      changes_public_contract: false,
    };
    const first = await world.call('a', 0, 'append_decision_log', { ...entry, project: world.names['$P'] });
    const valid = await world.call('a', 0, 'correct_decision_log', {
      ...entry,
      supersedes_decision_id: decisionOf(first.result).id,
    });
    expect(valid.error).toBeUndefined();
    expect(await decisionCount(world)).toBe(2);
    await expectChained(world, 'decision.corrected', 1);
  },

  'B62-same-key-once': async (world) => {
    const answers = world.savedCopies('r');
    for (const { result } of answers) expect(result).toEqual(answers[0]?.result);
    expect(answers.filter(({ replayed }) => replayed)).toHaveLength(19);
    expect(await decisionCount(world)).toBe(1);
    await expectChained(world, 'decision.appended', 1);
    const other = await world.call('a', 0, 'append_decision_log', { ...answers[0]?.args, title: 'Another body' });
    expect(other.error).toMatchObject({ code: 'idempotency_mismatch', kind: 'conflict' });
    expect(await decisionCount(world)).toBe(1);
  },
};

async function currentState(world: FieldWorld, id: string): Promise<string> {
  const { result } = await world.call('a', 0, 'get_build_session', { build_session_id: id });
  return sessionOf(result).current_state_markdown;
}

function expectTotals({ found }: FieldWorld, orders: number, each: ReportedTotals[number]): void {
  expect(found.get('totals')).toEqual(Array.from({ length: orders }, () => each));
}
