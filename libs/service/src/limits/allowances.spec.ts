import { Allowances, type Demand, type SharedCounts } from './allowances.js';

const MINUTE = 60_000;

/** Counters as a store has them, with a say over how long a question takes and how long a minute lasts. */
function sharedCounts(options: { readonly minuteMs?: number; readonly answer?: () => Promise<unknown> } = {}) {
  const totals = new Map<string, { total: number; endsAt: number }>();
  const asked: number[] = [];
  const counts: SharedCounts = {
    add: async (key, count) => {
      asked.push(count);
      await options.answer?.();
      const before = totals.get(key);
      const now = performance.now();
      const running = before !== undefined && before.endsAt > now;
      const next = running ? before : { total: 0, endsAt: now + (options.minuteMs ?? MINUTE) };
      next.total += count;
      totals.set(key, next);
      return { total: next.total, resetsInMs: next.endsAt - now };
    },
  };
  return { counts, asked };
}

const demand = (limit: number, name: Demand['name'] = 'credential'): Demand => ({ name, key: name, limit });

const silent = (counts: SharedCounts) => new Allowances({ counts, onAway: () => undefined });

async function passed(allowances: Allowances, limit: number, tries: number): Promise<number> {
  const taken = await Promise.all(Array.from({ length: tries }, () => allowances.take([demand(limit)])));
  return taken.filter(({ refusedBy }) => refusedBy === null).length;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('one process', () => {
  test.each([1, 7, 40, 1_000])('G6: of a limit of %i exactly so many pass', async (limit) => {
    expect(await passed(silent(sharedCounts({ answer: turn }).counts), limit, limit + 50)).toBe(limit);
  });

  test('G6: a limit of none refuses all', async () => {
    expect(await passed(silent(sharedCounts().counts), 0, 3)).toBe(0);
  });

  test('G6: many requests are settled in few questions', async () => {
    const { counts, asked } = sharedCounts({ answer: turn });
    expect(await passed(silent(counts), 10_000, 5_000)).toBe(5_000);
    expect(asked.length).toBeLessThanOrEqual(5_000 / (10_000 / 20 / 2));
  });

  test('G6: a request waits for no store while its block has room', async () => {
    const { counts } = sharedCounts({ answer: () => new Promise(() => undefined) });
    expect(await passed(silent(counts), 2_000, 100)).toBe(100);
  });

  test('G6: what is refused takes nothing from any limit, and the limit that lasts longest is named', async () => {
    const allowances = silent(sharedCounts().counts);
    const both = [demand(10, 'credential'), demand(2, 'workspace')];
    for (let call = 0; call < 2; call += 1) expect((await allowances.take(both)).refusedBy).toBeNull();
    const refused = await allowances.take(both);
    expect(refused.refusedBy?.demand.name).toBe('workspace');
    expect(refused.standings.map(({ remaining }) => remaining)).toEqual([8, 0]);
  });

  test('G6: a request of many calls takes as much, or nothing', async () => {
    const allowances = silent(sharedCounts().counts);
    expect((await allowances.take([demand(10)], 8)).refusedBy).toBeNull();
    expect((await allowances.take([demand(10)], 3)).refusedBy).not.toBeNull();
    expect((await allowances.take([demand(10)], 2)).refusedBy).toBeNull();
  });

  test('G6: the time that a refusal names is the time until the next passes', async () => {
    const allowances = silent(sharedCounts({ minuteMs: 2_000 }).counts);
    await allowances.take([demand(1)]);
    const { refusedBy } = await allowances.take([demand(1)]);
    expect(refusedBy?.resetsInMs).toBeLessThanOrEqual(2_000);
    await new Promise((resolve) => setTimeout(resolve, (refusedBy?.resetsInMs ?? 0) + 1));
    expect((await allowances.take([demand(1)])).refusedBy).toBeNull();
  });
});

describe('several processes', () => {
  test.each([1, 20, 400])('G6: three share a limit of %i within the bound that is promised', async (limit) => {
    const { counts } = sharedCounts({ answer: turn });
    const processes = [silent(counts), silent(counts), silent(counts)];
    const sums = await Promise.all(processes.map((one) => passed(one, limit, limit)));
    const sum = sums.reduce((total, one) => total + one, 0);
    expect(sum).toBeGreaterThanOrEqual(limit);
    expect(sum).toBeLessThanOrEqual(limit + 2 * Math.max(1, Math.ceil(limit / 20)));
  });

  test('G6: what one took is known to another that asks later', async () => {
    const { counts } = sharedCounts();
    const first = silent(counts);
    expect(await passed(first, 40, 40)).toBe(40);
    await first.flush();
    expect(await passed(silent(counts), 40, 40)).toBeLessThanOrEqual(2);
  });
});

describe('a store that is away', () => {
  const away = { add: () => Promise.reject(new Error('connect ECONNREFUSED')) };

  test('G6: each process holds to what it counted itself, and says so once', async () => {
    const said: unknown[] = [];
    const allowances = new Allowances({ counts: away, onAway: (error) => said.push(error) });
    expect(await passed(allowances, 5, 20)).toBe(5);
    expect(await passed(allowances, 50, 100)).toBe(45);
    expect(said.map(String)).toEqual(['Error: connect ECONNREFUSED']);
  });

  test('G6: a store that swallows the question holds nobody up for long', async () => {
    const said: unknown[] = [];
    const counts = { add: () => new Promise<never>(() => undefined) };
    expect(await passed(new Allowances({ counts, onAway: (error) => said.push(error) }), 3, 10)).toBe(3);
    expect(String(said[0])).toContain('did not answer');
  });

  test('G6: once it is back what it says holds again', async () => {
    let down = true;
    const { counts } = sharedCounts();
    // More than this process counts by itself, however long it takes to ask again.
    const limit = 100_000;
    await counts.add('credential', limit);
    const allowances = silent({ add: (...question) => (down ? away.add() : counts.add(...question)) });
    expect(await passed(allowances, limit, 20)).toBe(20);
    await allowances.flush();
    expect(await passed(allowances, limit, 20)).toBe(20);
    down = false;
    while ((await allowances.take([demand(limit)])).refusedBy === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
