import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { catalogue } from '@perdure/contracts';
import { startTestApi, type TestApi, type TestApp, type TestInstallation, type TestWorkspace } from '@perdure/testkit';
import { EXIT } from './exit-status.js';
import { main } from './main.js';

const AGE_KEY = 'age1gt7gqx0tp3mcn984mqfm3hpvw62j979hvyp0jj3fsxjak34fncvs9cda4y';

describe('perdure admin', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let close: TestApi['close'];
  let api: TestApp;
  let folder: string;

  beforeAll(async () => {
    ({ installation, api, close } = await startTestApi());
    workspace = await installation.workspace();
    folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-cli-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await close();
  });

  const platform = () => ({ PERDURE_URL: `${api.url}/`, PERDURE_TOKEN: installation.platform.token });
  const owner = () => ({ PERDURE_URL: api.url, PERDURE_TOKEN: workspace.owner.token });

  async function run(argv: string[], env: Record<string, string> = platform()) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const status = await main(argv, { env, stdout, stderr, stdin: new PassThrough().end(), cwd: () => folder });
    return { status, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
  }
  const json = async (argv: string[], env: Record<string, string> = platform()) => {
    const { status, out, err } = await run([...argv, '--json'], env);
    expect([status, err]).toEqual([EXIT.done, '']);
    return JSON.parse(out);
  };

  it('C1: every operation of the platform and access areas is a verb', async () => {
    const { status, out } = await run(['admin', '--help'], {});
    expect(status).toBe(EXIT.done);
    for (const area of [catalogue.platform, catalogue.access]) {
      for (const { name } of Object.values(area)) expect(out).toContain(` ${name.replaceAll('_', '-')} `);
    }
  });

  it('C1, I4: the operator lists, limits, suspends and resumes a workspace', async () => {
    const { items } = await json(['admin', 'list-workspaces', '--search', 'ACME', '--limit', '10']);
    expect(items).toMatchObject([{ id: workspace.id, status: 'active' }]);
    const quota = ['admin', 'set-workspace-quota', '--workspace', workspace.id];
    expect((await json([...quota, '--build-sessions', '3'])).workspace.quota.build_sessions).toBe(3);
    expect((await json([...quota, '--build-sessions', 'none'])).workspace.quota.build_sessions).toBeNull();
    const table = await run(['admin', 'list-workspaces', '--search', 'acme']);
    expect(table.out).toMatch(/^id +slug +name +status/);
    expect(table.out).toContain(workspace.id);
    const suspended = await run(['admin', 'suspend-workspace', '--workspace', workspace.id, '--reason', 'unpaid']);
    expect(suspended.out).toContain('workspace.status: suspended');
    const refused = await run(['admin', 'invite-member', '--email', 'a@b.c', '--role', 'viewer'], owner());
    expect(refused).toMatchObject({ status: EXIT.notAllowed, out: '' });
    expect(refused.err).toMatch(/^workspace_suspended: /);
    await json(['admin', 'resume-workspace', '--workspace', workspace.id, '--reason', 'paid']);
  });

  it('C1, I2: an owner issues a credential once, and a repeated key shows no secret', async () => {
    const issue = ['admin', 'issue-credential', '--actor', 'ci', '--scopes', 'loop:read', 'loop:measure'];
    const first = await json([...issue, '--idempotency-key', 'k'], owner());
    expect(first.credential.scopes).toEqual(['loop:read', 'loop:measure']);
    expect(await installation.operations.authenticate(first.secret)).not.toBeNull();
    const again = await run([...issue, '--idempotency-key', 'k', '--json'], owner());
    expect(JSON.parse(again.out).secret).toBeNull();
    expect(again.err).toContain('earlier call');
    const { invitation_url } = await json(['admin', 'invite-member', '--email', 'a@b.c', '--role', 'viewer'], owner());
    expect(invitation_url).toMatch(/^https:\/\/perdure\.example\.com\/sign-in\?token=prd_link_/);
  });

  it('C1, I4: an export is a file that only its owner reads and that overwrites none', async () => {
    const output = path.join(folder, 'acme.age');
    const exporting = ['admin', 'export-workspace', '--workspace', workspace.id, '--encrypt-to', AGE_KEY];
    const { status, err } = await run([...exporting, '--output', output]);
    expect([status, err]).toEqual([EXIT.done, `Written to ${output}.\n`]);
    expect(readFileSync(output).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    expect(statSync(output).mode & 0o777).toBe(0o600);
    expect((await run([...exporting, '--output', output])).status).toBe(EXIT.refused);
  });

  it.each([
    ['an unknown verb', ['admin', 'launch'], EXIT.usage],
    ['an unknown option', ['admin', 'list-workspaces', '--colour'], EXIT.usage],
    ['a missing argument', ['admin', 'suspend-workspace', '--workspace', 'x'], EXIT.usage],
    ['a word for a number', ['admin', 'list-workspaces', '--limit', 'ten'], EXIT.usage],
    ['a role that is none', ['admin', 'invite-member', '--email', 'a@b.c', '--role', 'king'], EXIT.usage],
    ['a workspace that is none', ['admin', 'resume-workspace', '--workspace', 'x', '--reason', 'x'], EXIT.refused],
    ['what the credential may not', ['admin', 'list-members'], EXIT.notAllowed],
  ])('C1: %s has its own status and says why on stderr', async (_what, argv, status) => {
    const outcome = await run(argv);
    expect([outcome.status, outcome.out]).toEqual([status, '']);
    expect(outcome.err).not.toBe('');
  });

  it('C1: a server that is away, and an environment that says nothing, have their own statuses', async () => {
    const away = await run(['admin', 'who-am-i'], { PERDURE_URL: 'http://127.0.0.1:9', PERDURE_TOKEN: 'x' });
    expect(away.status).toBe(EXIT.unreachable);
    expect((await run(['admin', 'who-am-i'], {})).status).toBe(EXIT.usage);
    expect((await run(['admin', 'who-am-i'], { PERDURE_URL: 'ftp://x', PERDURE_TOKEN: 'x' })).status).toBe(EXIT.usage);
    const unknown = await run(['admin', 'who-am-i'], { ...platform(), PERDURE_TOKEN: 'prd_nobody' });
    expect(unknown.status).toBe(EXIT.notAllowed);
  });

  it('C1: stored text cannot steer the terminal that shows it', async () => {
    await installation.call(catalogue.platform.createWorkspace, installation.platform, {
      name: 'acme \u001b[2J\u202etxt',
      slug: 'steering',
    });
    const { out } = await run(['admin', 'list-workspaces', '--search', 'steering']);
    expect(out).toContain('\\u001b[2J\\u202etxt');
  });

  it('C1: the linked program ends with the status', async () => {
    const program = path.join(__dirname, '..', 'bin', 'perdure.cjs');
    const call = (argv: string[]) =>
      promisify(execFile)(process.execPath, [program, ...argv], { env: { PATH: process.env['PATH'], ...platform() } });
    expect((await call(['admin', 'who-am-i', '--json'])).stdout).toContain('"platform:admin"');
    await expect(call(['admin', 'list-members'])).rejects.toMatchObject({ code: EXIT.notAllowed });
  });
});
