import type { BacklogItemObject, BriefDecision, BriefSections } from '@perdure/contracts';
import type { FieldWorld } from './field-world.js';
import { SecretTraces, storedRows } from './secret-traces.js';
import { lookAlikes } from './secret-cases.js';
import type { SecretFindings } from './secret-deeds.js';
import { countOf } from './stored-chain.js';

type Invariant = (world: FieldWorld) => Promise<void>;

const LIST_BYTES = 20_000;

/** As the contract types them; the gateway has checked the answers against it. */
const itemIn = (result: Readonly<Record<string, unknown>> | undefined) =>
  result?.['backlog_item'] as BacklogItemObject | null;

const decisionsIn = (brief: Readonly<Record<string, unknown>>): readonly BriefDecision[] =>
  (brief['sections'] as BriefSections).decisions; // the same

const answersTo = (world: FieldWorld, operation: string) => world.answers.filter(({ op }) => op === operation);

/** The rule that the brief counts by: four bytes a token. */
const tokensOf = (text: unknown): number => Math.ceil(Buffer.byteLength(String(text)) / 4);

/** A page as the README of the operations has it, under 20 kB whole. */
function expectWithinList(page: Readonly<Record<string, unknown>>): void {
  expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(LIST_BYTES);
}

/** What the cases on backlog, rules, loop and brief say in words. */
export const LEDGER_INVARIANTS: Readonly<Record<string, Invariant>> = {
  'B04-claim-next': async (world) => {
    const claimed = answersTo(world, 'claim_backlog_item').map(({ result }) => itemIn(result));
    const given = claimed.filter((item) => item !== null);
    expect(claimed).toHaveLength(16);
    expect(given).toHaveLength(10);
    expect(new Set(given.map(({ id }) => id)).size).toBe(10);
    expect(new Set(given.map(({ assignee }) => assignee)).size).toBe(10);
    expect((await world.events('backlog_item.claimed')).map(({ subject_id }) => subject_id).toSorted()).toEqual(
      given.map(({ id }) => id).toSorted(),
    );
  },

  'B13-brief-sections': async (world) => {
    const brief = world.answer('b');
    expect(decisionsIn(brief).map(({ title }) => title)).toEqual(['Use ULIDs']);
    expect((brief['sections'] as BriefSections).sessions).toHaveLength(1); // as above
    expect(tokensOf(brief['brief_markdown'])).toBeLessThanOrEqual(500);
    expect(brief['omitted']).toEqual([]);
    expect(brief['cursor']).toEqual(expect.stringMatching(/./));
    // With more than fits, what is missing is named with the call that fetches it.
    const { args } = answersTo(world, 'append_decision_log')[0] ?? { args: {} };
    for (let count = 0; count < 30; count += 1) await world.callInProcess('a', 'append_decision_log', { ...args });
    const { result } = await world.call('a', 0, 'resume_brief', { project: world.names['$P'], token_budget: 500 });
    expect(tokensOf(result?.['brief_markdown'])).toBeLessThanOrEqual(500);
    const [cut] = (result?.['omitted'] ?? []) as { operation: string; arguments: Record<string, unknown> }[]; // contract
    const fetched = await world.call('a', 0, cut?.operation ?? '', cut?.arguments ?? {});
    expect(fetched.error).toBeUndefined();
    // A list has items (DESIGN §8).
    expect((fetched.result?.['items'] as unknown[]).length).toBeGreaterThan(decisionsIn(result ?? brief).length);
  },

  'B22-ids-distinct': async (world) => {
    const items = answersTo(world, 'file_backlog_item').map(({ result }) => itemIn(result)?.id);
    expect(new Set(items).size).toBe(10_000);
    expect(await countOf(world.stack.admin, 'backlog_item', [world.workspaceId])).toBe(10_000);
  },

  'B23-fresh-worktree': async (world) => {
    const brief = world.answer('b');
    expect(decisionsIn(brief).map(({ title }) => title)).toEqual(['Known']);
    expect(brief['brief_markdown']).toContain('Known');
  },

  'B25-conflict-markers': async (world) => {
    const { rejected, ...rest } = world.answer('r');
    const shape = { path: '.claude/rules/a.md', line: 3, code: expect.any(String), message: expect.any(String) };
    expect(rejected).toEqual([shape]);
    expect(rest).toMatchObject({ created: [], revised: [], unchanged: [] });
    expect(await countOf(world.stack.admin, 'rule', [world.workspaceId])).toBe(0);
  },

  'B37-list-budget': async (world) => {
    const page = world.answer('l');
    expectWithinList(page);
    expect(page['next_cursor']).not.toBeNull();
    expect(JSON.stringify(page)).not.toContain('xxx');
    // Every item once, page by page.
    const ids = new Set<string>();
    let cursor: unknown;
    do {
      const args = { project: world.names['$P'], limit: 200, ...(cursor === undefined ? {} : { cursor }) };
      const { result = {} } = await world.callInProcess('a', 'list_backlog_items', args);
      expectWithinList(result);
      for (const { id } of result['items'] as BacklogItemObject[]) ids.add(id); // the contract's output
      cursor = result['next_cursor'];
    } while (cursor !== null);
    expect(ids.size).toBe(10_000);
  },

  'B38-list-without-comments': async (world) => {
    const listed = JSON.stringify(world.answer('l'));
    expect(listed).not.toMatch(/body-text|comment \d/);
    const { backlog_item: item, comments } = world.answer('g');
    expect(item).toMatchObject({ body_markdown: 'body-text' });
    const texts = (comments as { body_markdown: string }[]).map(({ body_markdown }) => body_markdown); // the contract's
    expect(texts).toEqual(Array.from({ length: 50 }, (_, index) => `comment ${index}`));
  },

  'B49-secret-shapes': async (world) => {
    const { refused, lookAlikes } = world.found.get('secrets') as SecretFindings; // put there by the deed
    expect(refused.faults).toEqual([]);
    expect(lookAlikes).toEqual([]);
  },

  'B50-secret-in-side-column': async (world) => {
    const { refused, secrets } = world.found.get('secrets') as SecretFindings; // put there by the deed
    expect(refused.faults).toEqual([]);
    // An earlier case stores the look-alikes.
    const traces = new SecretTraces(
      secrets,
      lookAlikes().map(({ text }) => text),
    );
    for (const [table, rows] of await storedRows(world.stack.admin)) {
      expect([table, traces.in(rows)]).toEqual([table, []]);
    }
  },

  'B52-cap-misformatted': async (world) => {
    expect(await world.events('loop.limits_set')).toEqual([]);
  },

  'B59-reads-not-audited': async (world) => {
    // What came before the first step: two projects and the credentials.
    expect((await world.gaplessChain()).length).toBe(world.sizeBefore);
  },
};
