import { catalogue } from '@perdure/contracts';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';

const { loop } = catalogue;
const X = 'a'.repeat(64);
const Y = 'b'.repeat(64);

describe('loop state', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let agent: TestActor;
  let measurer: TestActor;
  let names = 0;

  beforeAll(async () => {
    installation = await createTestInstallation({ poolSize: 20 });
    workspace = await installation.workspace();
    agent = await workspace.actor('agent');
    measurer = await workspace.actor('measurer', 'measurer');
    await installation.call(catalogue.projects.createProject, agent, { name: 'acme', slug: 'acme' });
  });
  afterAll(() => installation.close());

  const fresh = () => ({ project: 'acme', branch: 'main', loop: `night-${(names += 1)}` });
  type Loop = ReturnType<typeof fresh>;
  const count = (of: Loop, session_id = 's1', calls?: number) =>
    installation.call(loop.countLoopCall, agent, { ...of, session_id, ...(calls === undefined ? {} : { calls }) });
  const measure = (of: Loop, failing_signature: string | null, diff_hash: string, actor = measurer) =>
    installation.call(loop.recordLoopMeasurement, actor, { ...of, failing_signature, diff_hash });
  const state = (of: Loop, session_id?: string) =>
    installation.call(loop.getLoopState, agent, { ...of, ...(session_id === undefined ? {} : { session_id }) });
  const begin = (of: Loop, session_id: string) => installation.call(loop.beginLoopRun, agent, { ...of, session_id });

  it('L2: 200 parallel calls: exactly cap allowed, and the count is exact', async () => {
    const night = fresh();
    await installation.call(loop.setLoopLimits, workspace.owner, { ...night, cap: 120 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => count(night)));
    expect(answers.filter((answer) => answer.allowed)).toHaveLength(120);
    expect((await state(night)).run).toMatchObject({ session_id: 's1', bash_calls: 120, cap: 120 });
  });

  it('L2: 100 parallel calls of a loop that nobody used before: it is made once, and 40 are allowed', async () => {
    const night = fresh();
    const answers = await Promise.all(Array.from({ length: 100 }, () => count(night)));
    expect(answers.filter((answer) => answer.allowed)).toHaveLength(40);
    expect((await state(night)).run?.bash_calls).toBe(40);
  });

  it('L2: parallel calls under the cap lose no count', async () => {
    const night = fresh();
    await installation.call(loop.setLoopLimits, workspace.owner, { ...night, cap: 500 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => count(night)));
    expect(new Set(answers.map((answer) => answer.bash_calls)).size).toBe(200);
    expect((await state(night)).run?.bash_calls).toBe(200);
  });

  it('L2: what would pass the cap is blocked and counts nothing; the default cap is 40 and never raises itself', async () => {
    const night = fresh();
    expect(await count(night, 's1', 39)).toEqual({ allowed: true, bash_calls: 39, cap: 40 });
    expect(await count(night, 's1', 2)).toEqual({ allowed: false, bash_calls: 39, cap: 40 });
    expect(await count(night)).toEqual({ allowed: true, bash_calls: 40, cap: 40 });
    for (let index = 0; index < 3; index += 1) expect((await count(night)).allowed).toBe(false);
    expect((await state(night)).limits).toEqual({ cap: 40, no_progress_limit: 3 });
  });

  it('L1: two live sessions of one loop do not reset each other; a new one leaves the work as it is', async () => {
    const night = fresh();
    await measure(night, 'a fails', X);
    await measure(night, 'a fails', X);
    await begin(night, 's1');
    await count(night, 's1', 5);
    const other = await begin(night, 's2');
    expect(other).toMatchObject({ run: { session_id: 's2', bash_calls: 0 }, work: { unchanged: 1 } });
    await count(night, 's2');
    expect((await begin(night, 's1')).run.bash_calls).toBe(5);
    expect((await state(night, 's2')).run?.bash_calls).toBe(1);
  });

  it('L2: an empty session id is refused, and no value means unlimited', async () => {
    const night = fresh();
    for (const id of ['', '   ', '\u200b']) {
      for (const call of [count(night, id), begin(night, id), state(night, id)]) {
        expect(await refusalOf(call)).toMatchObject({
          code: 'invalid_input',
          details: { fields: [{ path: 'session_id' }] },
        });
      }
    }
    const limits = (more: object) =>
      refusalOf(
        installation.operations.run(
          loop.setLoopLimits,
          workspace.owner.caller,
          { ...night, ...more },
          { requestId: 't' },
        ),
      );
    for (const cap of ['3x', 0, -1, null, Infinity, 1e9, 2.5])
      expect((await limits({ cap })).code).toBe('invalid_input');
    expect(await limits({ max_iterations: 3 })).toMatchObject({
      code: 'invalid_input',
      details: { fields: [{ path: 'max_iterations' }] },
    });
    expect((await state(night)).limits.cap).toBe(40);
  });

  it('L3: the same pair counts as unchanged, another or a pass sets it to zero, and the limit gives the verdict', async () => {
    const night = fresh();
    expect(await measure(night, 'a fails', X)).toMatchObject({ work: { unchanged: 0 }, no_progress: false });
    await measure(night, 'a fails', X);
    await measure(night, 'a fails', X);
    expect(await measure(night, 'a fails', X.toUpperCase())).toMatchObject({
      work: { unchanged: 3 },
      no_progress: true,
    });
    expect(await measure(night, 'a fails', Y)).toMatchObject({ work: { unchanged: 0 }, no_progress: false });
    expect(await measure(night, null, Y)).toMatchObject({ work: { unchanged: 0, failing_signature: null } });
    expect(await measure(night, null, Y)).toMatchObject({ work: { unchanged: 0 }, no_progress: false });
    await installation.call(loop.setLoopLimits, workspace.owner, { ...night, no_progress_limit: 1 });
    await measure(night, 'b fails', Y);
    expect((await measure(night, 'b fails', Y)).no_progress).toBe(true);
  });

  it('L3: 20 parallel measurements of one pair count 19', async () => {
    const night = fresh();
    await Promise.all(Array.from({ length: 20 }, () => measure(night, 'a fails', X)));
    expect((await state(night)).work.unchanged).toBe(19);
  });

  it('L2, L3: an agent measures nothing, sets no limit and resets nothing; the test step sets none either', async () => {
    const night = fresh();
    expect(await refusalOf(measure(night, null, X, agent))).toMatchObject({
      code: 'forbidden_scope',
      details: { scope: 'loop:measure' },
    });
    for (const actor of [agent, measurer]) {
      const limits = installation.call(loop.setLoopLimits, actor, { ...night, cap: 1_000 });
      expect((await refusalOf(limits)).code).toBe('forbidden_scope');
      const reset = installation.call(loop.resetLoopWork, actor, { ...night, reason: 'x' });
      expect((await refusalOf(reset)).code).toBe('forbidden_scope');
    }
  });

  it('L6: a reset is audited with its reason, and so are limits, once', async () => {
    const night = fresh();
    await measure(night, 'a fails', X);
    const { work } = await installation.call(loop.resetLoopWork, workspace.owner, { ...night, reason: 'A new plan.' });
    expect(work).toEqual({ failing_signature: null, diff_hash: null, unchanged: 0, measured_at: null });
    await installation.call(loop.setLoopLimits, workspace.owner, { ...night, cap: 9 });
    await installation.call(loop.setLoopLimits, workspace.owner, { ...night, cap: 9 });
    const { items } = await installation.call(catalogue.audit.listAuditEvents, workspace.owner, {
      subject_type: 'loop',
    });
    const own = items.filter((event) => event.payload?.['loop'] === night.loop);
    expect(own.map((event) => [event.type, event.payload?.['reason']])).toEqual([
      ['loop.work_reset', 'A new plan.'],
      ['loop.limits_set', undefined],
    ]);
  });

  it.each([
    ['two lines', { failing_signature: 'a\nb' }, 'failing_signature'],
    ['201 characters', { failing_signature: 'x'.repeat(201) }, 'failing_signature'],
    ['a diff', { diff_hash: 'diff --git a/x b/x' }, 'diff_hash'],
    ['65 digits', { diff_hash: 'a'.repeat(65) }, 'diff_hash'],
    ['a conclusion', { verified: true }, 'verified'],
  ])('L4: %s is refused by name', async (_label, more, path) => {
    const raw = { ...fresh(), failing_signature: null, diff_hash: X, ...more };
    const call = installation.operations.run(loop.recordLoopMeasurement, measurer.caller, raw, { requestId: 't' });
    expect(await refusalOf(call)).toMatchObject({ code: 'invalid_input', details: { fields: [{ path }] } });
  });

  it('keeps the last 50 measurements', async () => {
    const night = fresh();
    for (let index = 0; index < 55; index += 1) await measure(night, `failure ${index}`, X);
    const { recent_measurements: recent } = await state(night);
    expect(recent).toHaveLength(50);
    expect(recent[0]?.failing_signature).toBe('failure 54');
  });
});
