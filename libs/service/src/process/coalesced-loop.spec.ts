import { CoalescedLoop } from './coalesced-loop.js';

/** Passes that end when the test says so. */
function heldPasses() {
  const releases: ((more: boolean) => void)[] = [];
  const started: (() => void)[] = [];
  return {
    count: () => releases.length,
    pass: () =>
      new Promise<boolean>((resolve) => {
        releases.push(resolve);
        started.shift()?.();
      }),
    release: (index: number, more = false) => releases[index]?.(more),
    next: () => new Promise<void>((resolve) => started.push(resolve)),
  };
}

/** Long enough never to fire in a test that counts wake-ups. */
const NEVER_MS = 600_000;

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('CoalescedLoop', () => {
  it('runs one pass at a time; wake-ups during it cause exactly one more', async () => {
    const passes = heldPasses();
    const loop = new CoalescedLoop({ pass: passes.pass, sweepMs: NEVER_MS, onError: () => undefined });
    loop.wake();
    for (let times = 0; times < 5; times += 1) loop.wake();
    expect(passes.count()).toBe(1);
    passes.release(0);
    await turns();
    expect(passes.count()).toBe(2);
    passes.release(1);
    await turns();
    expect(passes.count()).toBe(2);
    await loop.stop();
  });

  it('repeats while a pass says that there is more', async () => {
    const left = [true, true, false];
    let passes = 0;
    const loop = new CoalescedLoop({
      pass: async () => {
        passes += 1;
        return left.shift() ?? false;
      },
      sweepMs: NEVER_MS,
      onError: () => undefined,
    });
    loop.wake();
    await turns();
    expect(passes).toBe(3);
    await loop.stop();
  });

  it('sweeps by itself, also after a pass that failed', async () => {
    const errors: unknown[] = [];
    let passes = 0;
    let enough = () => {};
    const third = new Promise<void>((resolve) => {
      enough = resolve;
    });
    const loop = new CoalescedLoop({
      pass: async () => {
        passes += 1;
        if (passes === 3) enough();
        if (passes < 3) throw new Error(`pass ${passes}`);
        return false;
      },
      sweepMs: 1,
      onError: (error) => errors.push(error),
    });
    loop.start();
    await third;
    await loop.stop();
    expect(errors).toEqual([new Error('pass 1'), new Error('pass 2')]);
  });

  it('does not run hot when it is woken while a pass fails', async () => {
    let passes = 0;
    let fail = (_error: Error) => {};
    const loop = new CoalescedLoop({
      pass: () =>
        new Promise<boolean>((_resolve, reject) => {
          passes += 1;
          fail = reject;
        }),
      sweepMs: NEVER_MS,
      onError: () => undefined,
    });
    loop.wake();
    loop.wake();
    fail(new Error('the database is away'));
    await turns();
    expect(passes).toBe(1);
    await loop.stop();
  });

  it('O4: stopping waits for the pass that runs and starts no other', async () => {
    const passes = heldPasses();
    const loop = new CoalescedLoop({ pass: passes.pass, sweepMs: 1, onError: () => undefined });
    loop.wake();
    loop.wake();
    let stopped = false;
    const stopping = loop.stop().then(() => {
      stopped = true;
    });
    await turns();
    expect(stopped).toBe(false);
    passes.release(0, true);
    await stopping;
    loop.wake();
    await turns();
    expect(passes.count()).toBe(1);
  });
});
