import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { catalogue } from '@perdure/contracts';
import { startTestApi, type TestActor, type TestApi, type TestApp, type TestInstallation } from '@perdure/testkit';
import { EXIT } from '../exit-status.js';
import { main } from '../main.js';

const CASES = path.join(__dirname, '..', '..', '..', '..', 'cases');
const REMOTE = 'git@forge.example.com:acme/shop.git';

let installation: TestInstallation;
let close: TestApi['close'];
let api: TestApp;
let agent: TestActor;
let measurer: TestActor;
let owner: TestActor;
let projectId: string;
let folder: string;

beforeAll(async () => {
  ({ installation, api, close } = await startTestApi());
  const workspace = await installation.workspace();
  owner = workspace.owner;
  agent = await workspace.actor('agent');
  measurer = await workspace.actor('ci', 'measurer');
  const url = 'https://forge.example.com/acme/shop';
  const { project } = await installation.call(catalogue.projects.createProject, agent, {
    name: 'Shop',
    repository_urls: [url],
  });
  projectId = project.id;
});
afterAll(() => close());
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-loop-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function checkout(name: string, branch: string): string {
  const root = path.join(folder, name);
  const git = (...argv: string[]) => execFileSync('git', argv, { cwd: root, stdio: 'ignore' });
  mkdirSync(path.join(root, '.loop'), { recursive: true });
  git('init', '-q', '-b', branch);
  git('remote', 'add', 'origin', REMOTE);
  writeFileSync(path.join(root, 'cart.ts'), 'export const tax = 1;\n');
  return root;
}

async function run(
  cwd: string,
  argv: readonly string[],
  env: Record<string, string> = {},
  stdin: Buffer | string = '',
) {
  const [stdout, stderr, input] = [new PassThrough(), new PassThrough(), new PassThrough()];
  input.end(stdin);
  const home = { HOME: folder, XDG_CONFIG_HOME: path.join(folder, 'config') };
  const status = await main(argv, { env: { ...home, ...env }, stdout, stderr, stdin: input, cwd: () => cwd });
  return { status, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

/** A test command that prints a saved output and fails. */
const failing = (file = '01-jest-line-time-path-a.txt') => [
  ...['--', process.execPath, '-e'],
  `process.stderr.write(require('fs').readFileSync(${JSON.stringify(path.join(CASES, 'signatures', file))})); process.exitCode = 3`,
];
const withServer = () => ({
  PERDURE_URL: api.url,
  PERDURE_TOKEN: agent.token,
  PERDURE_MEASURER_TOKEN: measurer.token,
});
const measured = (out: string): Record<string, unknown> => JSON.parse(out);
const stateOf = (root: string) => JSON.parse(readFileSync(path.join(root, '.loop', 'state.json'), 'utf8'));

describe('perdure loop measure', () => {
  it('L3: ends as the tests do until nothing changes any more, and goes on when the files change', async () => {
    const root = checkout('shop', 'without-server');
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) statuses.push((await run(root, ['loop', 'measure', ...failing()])).status);
    expect(statuses).toEqual([3, 3, 3, EXIT.noProgress]);
    expect(stateOf(root).work).toMatchObject({ unchanged: 3 });
    writeFileSync(path.join(root, 'cart.ts'), 'export const tax = 2;\n');
    const changed = await run(root, ['loop', 'measure', '--json', ...failing()]);
    expect(changed.status).toBe(3);
    expect(measured(changed.out)).toMatchObject({
      failing_signature: expect.stringContaining('adds tax once'),
      failing_test: [{ file: 'src/cart.test.ts', name: ['cart', 'totals', 'adds tax once'] }],
      diff_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      unchanged: 0,
      no_progress: false,
    });
    expect(changed.err).toContain('● cart › totals › adds tax once');
  });

  it('L3: tests that pass clear the signature', async () => {
    const root = checkout('shop', 'passing');
    await run(root, ['loop', 'measure', ...failing()]);
    const { status, out } = await run(root, ['loop', 'measure', '--json', '--', process.execPath, '-e', '0']);
    expect(status).toBe(0);
    expect(measured(out)).toMatchObject({ failing_signature: null, failing_test: null, unchanged: 0 });
  });

  it('L5: a fresh clone goes on from what the server has', async () => {
    const env = withServer();
    const first = checkout('first', 'night');
    for (let time = 0; time < 3; time += 1) await run(first, ['loop', 'measure', ...failing()], env);
    const second = checkout('second', 'night');
    const { status, out, err } = await run(
      second,
      ['loop', 'measure', '--json', ...failing('01-jest-line-time-path-b.txt')],
      env,
    );
    expect(measured(out)).toMatchObject({ unchanged: 3, no_progress: true });
    expect(status).toBe(EXIT.noProgress);
    expect(err).toContain('No progress');
    expect(stateOf(second).work.unchanged).toBe(3);
    const state = await installation.call(catalogue.loop.getLoopState, agent, {
      project: projectId,
      branch: 'night',
      loop: 'default',
    });
    expect(state.work?.unchanged).toBe(3);
  });

  it("L3: an agent's credential cannot measure on the server; the file has it, and a line says why", async () => {
    const root = checkout('shop', 'as-agent');
    const env = { PERDURE_URL: api.url, PERDURE_TOKEN: agent.token };
    const { status, err } = await run(root, ['loop', 'measure', ...failing()], env);
    expect(status).toBe(3);
    expect(err).toMatch(/^Measured in \.loop\/state\.json alone: forbidden_scope: /m);
    expect(stateOf(root).work.failing_signature).toContain('adds tax once');
  });

  it('L5: without the server the file counts', async () => {
    const root = checkout('shop', 'server-away');
    const env = { PERDURE_URL: 'http://127.0.0.1:9', PERDURE_MEASURER_TOKEN: measurer.token };
    const { status, err } = await run(root, ['loop', 'measure', ...failing()], env);
    expect([status, err]).toEqual([3, expect.stringContaining('was not reached')]);
    expect(stateOf(root).work.unchanged).toBe(0);
  });

  it.each([
    [['loop', 'measure'], 'after --'],
    [['loop', 'measure', '--', 'no-such-program-here'], 'cannot be run'],
    [['loop', 'measure', '--signature-of', 'gone.txt'], 'cannot be read'],
  ])('%p writes nothing and says what is wrong', async (argv, said) => {
    const root = checkout('shop', 'wrong');
    const { status, err } = await run(root, argv);
    expect([status, err]).toEqual([EXIT.usage, expect.stringContaining(said)]);
    expect(() => stateOf(root)).toThrow('ENOENT');
  });

  it('C2: outside git nothing is guessed', async () => {
    const { status, err } = await run(folder, ['loop', 'measure', ...failing()]);
    expect([status, err]).toEqual([EXIT.usage, expect.stringContaining('in no git repository')]);
  });
});

it('L3: --signature-of prints what a saved output says, and writes nothing', async () => {
  const { same, different, passing } = {
    same: ['09', 'pytest-tmp-path'],
    different: ['13', 'go-other-subtest'],
    passing: ['23', 'passing'],
  };
  const signature = async ([number, name]: string[], side: string) => {
    const file = path.join(CASES, 'signatures', `${number}-${name}-${side}.txt`);
    const { status, out } = await run(folder, ['loop', 'measure', '--json', '--signature-of', file]);
    expect(status).toBe(0);
    return measured(out)['failing_signature'];
  };
  expect(await signature(same, 'a')).toBe(await signature(same, 'b'));
  expect(await signature(different, 'a')).not.toBe(await signature(different, 'b'));
  expect(await signature(passing, 'b')).toBeNull();
});

it('L1, L6: status shows both halves; reset forgets the work half, and the server has the reason', async () => {
  const root = checkout('shop', 'reset');
  writeFileSync(
    path.join(root, 'perdure.json'),
    JSON.stringify({ project: projectId, loop: { name: 'nightly', cap: 7 } }),
  );
  await run(root, ['loop', 'measure', ...failing()], withServer());
  const env = { PERDURE_URL: api.url, PERDURE_TOKEN: owner.token };
  const status = await run(root, ['loop', 'status', '--json'], env);
  expect(JSON.parse(status.out)).toMatchObject({
    loop: { branch: 'reset', name: 'nightly', cap: 7, no_progress_limit: 3 },
    file: { work: { unchanged: 0 } },
    server: { no_progress: false, work: { failing_signature: expect.stringContaining('adds tax once') } },
  });
  const reset = await run(root, ['loop', 'reset', '--reason', 'another approach', '--json'], env);
  expect(reset).toMatchObject({ status: 0, err: '' });
  expect(stateOf(root).work).toMatchObject({ failing_signature: null, unchanged: 0 });
  const { items } = await installation.call(catalogue.audit.listAuditEvents, owner, { type: 'loop.work_reset' });
  expect(items).toHaveLength(1);
});
