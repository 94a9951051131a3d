import { DrainLoop, type DrainLoopOptions, type WaitingWork } from './drain-loop.js';

interface LoopState {
  now: number;
  oldest: WaitingWork | null;
  ages: number[];
  lines: string[];
  runs: number;
}

/** A loop under a clock of the test's, with its sweep far away: each `wake` is one run. */
function loopOver(changed: Partial<DrainLoopOptions> = {}) {
  const state: LoopState = { now: 0, oldest: null, ages: [], lines: [], runs: 0 };
  const loop = new DrainLoop({
    doing: 'linking',
    pass: async () => {
      state.runs += 1;
      return false;
    },
    oldest: async () => state.oldest,
    stuckMs: 30_000,
    sweepMs: 600_000,
    logger: {
      info: (_fields, message) => state.lines.push(message),
      error: (_fields, message) => state.lines.push(message),
    },
    onAge: (seconds) => state.ages.push(seconds),
    now: () => state.now,
    ...changed,
  });
  const runAt = async (now: number, oldest: WaitingWork | null) => {
    Object.assign(state, { now, oldest });
    loop.wake();
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  };
  return { loop, state, runAt };
}

const hour = 3_600_000;

describe('DrainLoop', () => {
  it('O1: is alive when nothing waits, and tells the age of what waits', async () => {
    const { loop, state, runAt } = loopOver();
    await runAt(0, null);
    await runAt(hour, { key: 'a', ageSeconds: 2 });
    expect([loop.live(), state.ages, state.runs]).toEqual([{ ok: true }, [0, 2], 2]);
    await loop.stop();
  });

  it('O1: a fresh process with an old backlog is alive, and not for longer than it may be stuck', async () => {
    const { loop, state, runAt } = loopOver();
    await runAt(0, { key: 'a', ageSeconds: 5000 });
    state.now = 30_000;
    expect(loop.live()).toEqual({ ok: true });
    state.now = 30_001;
    expect(loop.live()).toEqual({ ok: false, detail: 'linking is stuck: something has waited 5000 s' });
    await loop.stop();
  });

  it('O1: stuck work stays stuck over measurements; a backlog that moves is alive, however old it is', async () => {
    const stuck = loopOver({ sweepMs: 1000 });
    for (let now = 0; now <= 31_000; now += 1000) await stuck.runAt(now, { key: 'a', ageSeconds: now / 1000 });
    expect(stuck.loop.live().ok).toBe(false);
    await stuck.loop.stop();

    const moving = loopOver({ sweepMs: 1000 });
    for (let now = 0; now <= 90_000; now += 25_000) await moving.runAt(now, { key: `at ${now}`, ageSeconds: 5000 });
    expect(moving.loop.live()).toEqual({ ok: true });
    await moving.loop.stop();
  });

  it('O1: an outage is no fault of the worker, nor is what it finds afterwards; it is two log lines', async () => {
    let down = false;
    const waiting = { key: 'a', ageSeconds: 1 };
    const { loop, state, runAt } = loopOver({
      sweepMs: 1000,
      oldest: () => (down ? Promise.reject(new Error('no database')) : Promise.resolve(waiting)),
    });
    await runAt(0, null);
    down = true;
    for (let now = 20_000; now < 90_000; now += 1000) await runAt(now, null);
    expect(loop.live()).toEqual({ ok: true });
    down = false;
    await runAt(90_000, null);
    expect(loop.live()).toEqual({ ok: true });
    expect(state.lines).toEqual(['linking failed; trying again every second', 'linking again']);
    state.now = 121_000;
    expect(loop.live().ok).toBe(false);
    await loop.stop();
  });
});
