import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { catalogue, type BuildSessionObject } from '@perdure/contracts';
import { startTestApi, type TestActor, type TestApi, type TestApp, type TestInstallation } from '@perdure/testkit';
import { main } from '../main.js';

interface HookCase {
  readonly id: string;
  readonly client: string;
  readonly event: string;
  readonly setup?: string;
  readonly stdin?: unknown;
  readonly stdin_text?: string;
  readonly stdin_base64?: string;
  readonly expect: {
    readonly effect: string;
    readonly stderr?: string;
    readonly stdout: { readonly kind: string };
  };
}

const FILE = path.join(__dirname, '..', '..', '..', '..', 'cases', 'hooks', 'cases.json');
// The shape is the one that the README beside it describes.
const cases = (JSON.parse(readFileSync(FILE, 'utf8')) as HookCase[]).filter(({ event }) =>
  /^sessionStart$/i.test(event),
);

let installation: TestInstallation;
let close: TestApi['close'];
let api: TestApp;
let agent: TestActor;
let projectId: string;
let folder: string;
let home: string;

beforeAll(async () => {
  ({ installation, api, close } = await startTestApi());
  const workspace = await installation.workspace();
  agent = await workspace.actor('agent');
  const { project } = await installation.call(catalogue.projects.createProject, agent, {
    name: 'Acme',
    repository_urls: ['https://forge.example.com/acme/acme'],
  });
  projectId = project.id;
  // Folders of a checkout outlive a case, as they do in the field.
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'perdure-hooks-')));
  home = path.join(folder, 'home');
  for (const name of ['repo', 'empty', 'home/.codex/worktrees/3fa9'])
    mkdirSync(path.join(folder, name), { recursive: true });
  const git = (...argv: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...argv], {
      cwd: path.join(folder, 'repo'),
      stdio: 'ignore',
    });
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', 'git@forge.example.com:acme/acme.git');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('worktree', 'add', '-q', '-b', 'fix', path.join(folder, 'worktree'));
  git('worktree', 'add', '-q', '--detach', path.join(home, '.codex', 'worktrees', '3fa9', 'acme'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await close();
});

const placed = (text: string) =>
  text
    .replaceAll('$REPO', path.join(folder, 'repo'))
    .replaceAll('$WORKTREE', path.join(folder, 'worktree'))
    .replaceAll('$HOME', home)
    .replaceAll('$TMP', folder);

function stdinOf({ stdin, stdin_text, stdin_base64 }: HookCase): PassThrough {
  const stream = new PassThrough();
  if (stdin_base64 !== undefined) stream.end(Buffer.from(stdin_base64, 'base64'));
  else if (stdin_text !== undefined) stream.end(placed(stdin_text));
  else if (stdin !== undefined) stream.end(placed(JSON.stringify(stdin)));
  return stream;
}

/** Servers that are none of ours, by the words of the cases. */
const STRANGE_SERVERS: Readonly<Record<string, http.RequestListener>> = {
  'server: accepts and never answers': () => undefined,
  'server: first byte after 10 s': () => undefined,
  'server: HTML page': (_request, response) =>
    response.setHeader('content-type', 'text/html').end('<html>Sign in</html>'),
};

async function serverFor(setup = ''): Promise<{ url: string; close: () => void }> {
  if (setup === 'server: down') return { url: 'http://127.0.0.1:9', close: () => undefined };
  const strange = STRANGE_SERVERS[setup];
  if (strange === undefined) return { url: api.url, close: () => undefined };
  const server = http.createServer(strange);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // as of a server that listens on TCP
  return { url: `http://127.0.0.1:${port}`, close: () => (server.closeAllConnections(), server.close()) };
}

async function hook(hookCase: HookCase) {
  const server = await serverFor(hookCase.setup);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const env = {
    HOME: home,
    CLAUDE_PROJECT_DIR: path.join(folder, 'repo'),
    PERDURE_URL: server.url,
    PERDURE_TOKEN: hookCase.setup === 'token: revoked' ? `${agent.token.slice(0, -8)}00000000` : agent.token,
  };
  const stdin = stdinOf(hookCase);
  const status = await main(['hook', hookCase.event], { env, stdout, stderr, stdin, cwd: () => folder });
  server.close();
  return { status, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

async function sessions(): Promise<BuildSessionObject[]> {
  return (await installation.call(catalogue.sessions.listBuildSessions, agent, { project: projectId })).items;
}

describe('the cases of a session that starts', () => {
  it.each(cases.map((one): [string, HookCase] => [one.id, one]))('C2: %s', async (_id, hookCase) => {
    const { effect, stdout, stderr } = hookCase.expect;
    const before = await sessions();
    const { status, out, err } = await hook(hookCase);
    expect(status).toBe(0);
    if (stderr === 'one_line') expect(err).toMatch(/^Perdure: [^\n]+\n$/);
    else expect(err).toBe('');
    if (effect === 'none') {
      expect(out).toBe('');
      expect(await sessions()).toEqual(before);
      return;
    }
    const answer = JSON.parse(out);
    const pack =
      stdout.kind === 'cursor_additional_context'
        ? answer.additional_context
        : answer.hookSpecificOutput.additionalContext;
    if (stdout.kind === 'additional_context') expect(answer.hookSpecificOutput.hookEventName).toBe('SessionStart');
    const after = await sessions();
    const mine = after.find(({ id }) => String(pack).includes(id));
    expect(mine).toMatchObject({ status: 'active', project_id: projectId });
    expect(pack).toContain('last commit');
    expect(after.length - before.length).toBeLessThanOrEqual(1);
  });
});

const START: HookCase = {
  id: '',
  client: 'claude',
  event: 'session-start',
  stdin: { session_id: 'one', cwd: '$REPO', hook_event_name: 'SessionStart', source: 'startup' },
  expect: { effect: 'brief', stdout: { kind: 'additional_context' } },
};

it('C2: the pack is the same after startup, resume, clear and compact', async () => {
  const packs: string[] = [];
  for (const source of ['startup', 'resume', 'clear', 'compact']) {
    packs.push((await hook({ ...START, stdin: { session_id: 'one', cwd: '$REPO', source } })).out);
  }
  expect(new Set(packs).size).toBe(1);
});

it('C2: remembers the build session for the hooks that follow, where git does not see it', async () => {
  const repo = path.join(folder, 'repo');
  await hook(START);
  const state = JSON.parse(readFileSync(path.join(repo, '.perdure', 'sessions', 'one.json'), 'utf8'));
  expect(state).toEqual({ build_session_id: expect.any(String), project: projectId, client: 'claude-code' });
  expect((await sessions()).map(({ id }) => id)).toContain(state.build_session_id);
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: repo }).toString()).toBe('');
});

it.each(['../../etc/x', '.', '..', 'a/b', 'a\\b', 'a'.repeat(201)])(
  'C2: the session id %p is never used as a path',
  async (session_id) => {
    const listed = () => readdirSync(path.join(folder, 'repo', '.perdure', 'sessions'));
    await hook(START);
    const before = listed();
    const { status, out, err } = await hook({ ...START, stdin: { session_id, cwd: '$REPO' } });
    expect([status, out, err]).toEqual([0, '', expect.stringContaining('no plain name')]);
    expect(listed()).toEqual(before);
    expect(existsSync(path.join(folder, 'etc'))).toBe(false);
  },
);

it.each(['TeammateIdle', 'pre-compact', 'PreCompress', 'constructor'])('C2: the event %s is silent', async (event) => {
  expect(await hook({ ...START, event })).toEqual({ status: 0, out: '', err: '' });
});
