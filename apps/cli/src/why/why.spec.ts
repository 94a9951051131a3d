import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { catalogue } from '@perdure/contracts';
import { startTestApi, type TestActor, type TestApi, type TestApp, type TestInstallation } from '@perdure/testkit';
import { EXIT } from '../exit-status.js';
import { main } from '../main.js';

let installation: TestInstallation;
let close: TestApi['close'];
let api: TestApp;
let agent: TestActor;
let sessionId: string;
let root: string;

beforeAll(async () => {
  ({ installation, api, close } = await startTestApi());
  agent = await (await installation.workspace()).actor('agent');
  const { project } = await installation.call(catalogue.projects.createProject, agent, { name: 'Acme' });
  const { build_session } = await installation.call(catalogue.sessions.startBuildSession, agent, {
    project: project.id,
    computer: 'mac-1',
    branch: 'main',
    intent: 'Round \u001b[31mprices once',
  });
  sessionId = build_session.id;
  const decide = (title: string) => ({
    title,
    rationale_markdown: 'Because.',
    decided_on: '2026-11-30',
    changes_public_contract: false,
  });
  const { decision } = await installation.call(catalogue.decisions.appendDecisionLog, agent, {
    ...decide('Round at the end'),
    build_session_id: sessionId,
  });
  await installation.call(catalogue.decisions.correctDecisionLog, agent, {
    ...decide('Round at each line'),
    supersedes_decision_id: decision.id,
  });
  await installation.call(catalogue.sessions.recordBuildSessionPrs, agent, {
    build_session_id: sessionId,
    prs: [{ url: 'https://github.com/acme/shop/pull/7' }],
  });
});
afterAll(() => close());

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'perdure-why-')));
  git('init', '-q', '-b', 'main');
  writeFileSync(path.join(root, 'a.txt'), 'by hand\n');
  git('add', '-A');
  git('commit', '-qm', 'By hand');
  const hook = path.join(root, '.git', 'hooks', 'prepare-commit-msg');
  const perdure = path.join(__dirname, '..', '..', 'bin', 'perdure.cjs');
  writeFileSync(hook, `#!/bin/sh\nexec "${process.execPath}" "${perdure}" hook prepare-commit-msg "$@"\n`, {
    mode: 0o755,
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const git = (...argv: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false', ...argv],
    {
      cwd: root,
      env: { ...process.env, CLAUDE_CODE_SESSION_ID: '', GIT_EDITOR: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  ).toString();
const message = () => git('log', '-1', '--format=%B');

/** What a session start leaves behind in a checkout. */
function begin(client = 'one', id = sessionId): string {
  const folder = path.join(root, '.perdure', 'sessions');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(root, '.perdure', '.gitignore'), '*\n');
  const file = path.join(folder, `${client}.json`);
  writeFileSync(file, JSON.stringify({ build_session_id: id, project: 'p', client: 'claude-code' }));
  return file;
}

async function why(...argv: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const env = { HOME: root, PERDURE_URL: api.url, PERDURE_TOKEN: agent.token };
  const status = await main(['why', ...argv], { env, stdout, stderr, stdin: new PassThrough().end(), cwd: () => root });
  return { status, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

function commit(text: string, ...argv: string[]): void {
  appendFileSync(path.join(root, 'a.txt'), `${text}\n`);
  git('commit', '-qam', text, ...argv);
}

describe('prepare-commit-msg', () => {
  it('C3: names the session of the checkout in a trailer, once', () => {
    begin();
    commit('Round prices', '-m', 'Signed-off-by: Ada <ada@example.com>');
    expect(message()).toContain(`Signed-off-by: Ada <ada@example.com>\nBuild-Session: ${sessionId}\n`);
    git('commit', '-q', '--amend', '--no-edit');
    expect(message().match(/Build-Session/g)).toHaveLength(1);
  });

  it('C3: an amended commit stays with the session that made it, or with none', () => {
    git('commit', '-q', '--amend', '--no-edit');
    begin('two', '01K5ZQ8W3M9X7B2C4D6E8F0G1H');
    git('commit', '-q', '--amend', '--no-edit');
    expect(message()).not.toContain('Build-Session');
    commit('Mine', '-m', `Build-Session: ${sessionId}`);
    expect(message()).not.toContain('01K5ZQ8W3M9X7B2C4D6E8F0G1H');
  });

  it('C3: a merge gets none', () => {
    git('checkout', '-qb', 'side');
    commit('Side');
    git('checkout', '-q', 'main');
    begin();
    git('merge', '-q', '--no-ff', '-m', 'Merge side', 'side');
    expect(message()).not.toContain('Build-Session');
  });

  it('C3: without a session, with a stale one or an unreadable file nothing is added, and the commit is made', () => {
    commit('None');
    const file = begin();
    utimesSync(file, new Date('2026-01-01'), new Date('2026-01-01'));
    commit('Stale');
    writeFileSync(file, '{"build_session_id": "$(rm -rf .)"}');
    commit('Unreadable');
    expect(git('log', '--format=%B')).not.toContain('Build-Session');
    expect(git('log', '--format=%s')).toBe('Unreadable\nStale\nNone\nBy hand\n');
  });
});

describe('why', () => {
  it('C3: goes from a line to its commit, session, pull request and decisions, superseded ones marked', async () => {
    begin();
    commit('Round prices');
    const { status, out } = await why('a.txt:2', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      commit: { subject: 'Round prices', build_session_id: sessionId },
      build_session: { id: sessionId, prs: [{ number: 7 }] },
      decisions: expect.arrayContaining([
        expect.objectContaining({ title: 'Round at the end', superseded_by_decision_id: expect.any(String) }),
      ]),
    });
    const text = await why('a.txt:2');
    expect(text.out).toMatch(/^commit {3}[0-9a-f]{12} {2}Round prices$/m);
    expect(text.out).toContain('https://github.com/acme/shop/pull/7');
    expect(text.out).toMatch(/Round at the end {2}\(superseded by [0-9A-Z]{26}\)$/m);
    expect(text.out).not.toContain('\u001b');
  });

  it('C3: follows a renamed file, and a file without a line to its last commit', async () => {
    begin();
    commit('Round prices');
    renameSync(path.join(root, 'a.txt'), path.join(root, 'b.txt'));
    rmSync(path.join(root, '.perdure'), { recursive: true });
    git('add', '-A');
    git('commit', '-qm', 'Rename');
    expect(JSON.parse((await why('b.txt:2', '--json')).out).commit.subject).toBe('Round prices');
    expect(JSON.parse((await why('b.txt:1', '--json')).out)).toMatchObject({
      commit: { subject: 'By hand' },
      build_session: null,
    });
    expect(JSON.parse((await why('b.txt', '--json')).out).commit.subject).toBe('Rename');
  });

  it('C3: a trailer that this server does not know is told as such', async () => {
    begin('one', '01K5ZQ8W3M9X7B2C4D6E8F0G1H');
    commit('Elsewhere');
    expect((await why('a.txt:2')).out).toContain('01K5ZQ8W3M9X7B2C4D6E8F0G1H is not known here');
  });

  it.each([
    ['gone.txt:1', 'gone.txt'],
    ['a.txt:99', 'only 1 line'],
    ['gone.txt', 'No commit has'],
  ])('C3: %s is refused in words', async (argument, said) => {
    const { status, err } = await why(argument);
    expect([status, err]).toEqual([EXIT.refused, expect.stringContaining(said)]);
  });

  it('C3: a line that is not committed has no reason yet', async () => {
    appendFileSync(path.join(root, 'a.txt'), 'new\n');
    expect((await why('a.txt:2')).err).toContain('not committed yet');
  });
});
