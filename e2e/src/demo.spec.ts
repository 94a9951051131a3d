import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { catalogue } from '@perdure/contracts';
import { wholeStack, type WholeStack } from './testing/whole-stack.js';

let stack: WholeStack;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'perdure-demo-'));
  stack = await wholeStack();
});
afterAll(async () => {
  await stack.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Without the set-up of `npm run demo`, which may install packages: not under the feet of other tests. */
const demo = (): Promise<{ status: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const play = pathToFileURL(path.join(__dirname, '../demo/play.mjs'));
    const program = `import { playDemo } from ${JSON.stringify(play)};
      await playDemo({ dataDir: ${JSON.stringify(dataDir)}, portBase: 0, commandFor: () => '' });`;
    const child = execFile(process.execPath, ['--input-type=module', '--eval', program], (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });

it('the demo ends well, twice on one stack, and shows a claim, a rule, a no-progress verdict and a brief', async () => {
  const gateway = await stack.start('mcp-gateway');
  await stack.start('audit-writer');
  const workspace = await stack.installation.workspace();
  const token = async (preset: 'agent' | 'measurer' | 'admin' | 'auditor') =>
    (await workspace.actor(`the-${preset}`, preset)).token;
  await stack.installation.call(catalogue.projects.createProject, workspace.owner, { name: 'demo', slug: 'demo' });
  const written = {
    ready: true,
    mcp_url: `${gateway.url}/mcp`,
    project: 'demo',
    agent_token: await token('agent'),
    measurer_token: await token('measurer'),
    admin_token: await token('admin'),
    auditor_token: await token('auditor'),
  };
  writeFileSync(path.join(dataDir, 'stack.json'), JSON.stringify(written));
  for (let run = 0; run < 2; run += 1) {
    const { status, stdout, stderr } = await demo();
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/query_applicable_rules +before the change: “Never retry a payment/);
    expect(stdout).toMatch(/query_applicable_rules +asked again, seen_in_session: true/);
    expect(stdout).toMatch(/claim_backlog_item +the-(?:agent|admin) has it: in_progress\n.*already_assigned/);
    expect(stdout).toMatch(/record_loop_measurement .*unchanged 2, go on\n.*unchanged 3, no_progress/);
    expect(stdout).toMatch(/resume_brief .*\n +│ # Brief of demo-story\n(?: +│ .*\n)*.*NO PROGRESS/);
    expect(stdout).toMatch(/verify_audit_chain +ok: true/);
    expect(stdout.split('\n').filter((line) => line.length > 132)).toEqual([]);
  }
});
