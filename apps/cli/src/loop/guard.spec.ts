import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { main } from '../main.js';

interface HookCase {
  readonly id: string;
  readonly event: string;
  readonly setup?: string;
  readonly stdin?: unknown;
  readonly stdin_base64?: string;
  readonly stdin_gen?: { readonly json: { readonly tool_input: { command: unknown } } };
  readonly expect: { readonly exit: number; readonly effect: string; readonly stderr?: string };
}

const FILE = path.join(__dirname, '..', '..', '..', '..', 'cases', 'hooks', 'cases.json');
const SESSION = '5f0c2a7e-3b1d-4c62-9a8f-0d1e2f3a4b5c';
/** Events before a tool call, by the names of the clients. */
const BEFORE_A_CALL = ['PreToolUse', 'BeforeTool', 'beforeShellExecution'];
// The shape is the one that the README beside it describes.
const cases = (JSON.parse(readFileSync(FILE, 'utf8')) as HookCase[]).filter(({ event }) =>
  BEFORE_A_CALL.includes(event),
);

let folder: string;
let state: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-guard-'));
  state = path.join(folder, '.loop', 'state.json');
  execFileSync('git', ['init', '-q', folder]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NO_WORK = { failing_signature: null, diff_hash: null, unchanged: 0 };
const FOREIGN = { note: 'kept' };

/** What stands ready, by the words of the cases. */
function prepare(setup = ''): void {
  const calls = Number(/loop: (\d+) of 40/.exec(setup)?.[1] ?? 0);
  if (setup === '' || setup.startsWith('no .loop')) return;
  mkdirSync(path.dirname(state));
  const session_id = setup.includes('another session') ? 'another' : SESSION;
  const work = setup.includes('no-progress')
    ? { failing_signature: 'a > b', diff_hash: 'a'.repeat(40), unchanged: 3 }
    : NO_WORK;
  const text = JSON.stringify({ run: { session_id, bash_calls: calls }, work, ...FOREIGN });
  writeFileSync(state, setup.includes('cut in the middle') ? text.slice(0, text.length / 2) : text);
  if (setup.includes('cap 0')) writeFileSync(path.join(folder, 'perdure.json'), '{"loop": {"cap": 0}}');
}

function stdinOf({ stdin, stdin_base64, stdin_gen }: HookCase): Buffer {
  if (stdin_base64 !== undefined) return Buffer.from(stdin_base64, 'base64');
  const { command } = stdin_gen?.json.tool_input ?? {};
  const repeat = (command as { repeat: [string, number] } | undefined)?.repeat; // as its README says
  const payload = repeat ? { ...stdin_gen?.json, tool_input: { command: repeat[0].repeat(repeat[1]) } } : stdin;
  return Buffer.from(JSON.stringify(payload).replaceAll('$REPO', folder).replaceAll('$HOME', folder));
}

async function guard(stdin: Buffer | string) {
  const [stdout, stderr, input] = [new PassThrough(), new PassThrough(), new PassThrough()];
  input.end(stdin);
  const terminal = { env: { HOME: folder }, stdout, stderr, stdin: input, cwd: () => folder };
  const status = await main(['loop', 'guard'], terminal);
  return { status, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

const EFFECTS: Record<string, (before: string | null, after: string | null) => void> = {
  none: (before, after) => expect(after).toBe(before),
  no_count: (before, after) => expect(after).toBe(before),
  'count+1': (before, after) => {
    const [was, is] = [JSON.parse(before ?? ''), JSON.parse(after ?? '')];
    expect(is).toEqual({ ...was, run: { session_id: SESSION, bash_calls: was.run.bash_calls + 1 } });
  },
  run_reset: (before, after) => {
    const [was, is] = [JSON.parse(before ?? ''), JSON.parse(after ?? '')];
    expect(is).toMatchObject({ ...FOREIGN, work: was.work, run: { bash_calls: 1 } });
  },
  fresh_start: (_before, after) => expect(JSON.parse(after ?? '')).toMatchObject({ run: { bash_calls: 1 } }),
};

describe('the cases before a tool call', () => {
  it.each(cases.map((one): [string, HookCase] => [one.id, one]))('L5: %s', async (_id, hookCase) => {
    prepare(hookCase.setup);
    const read = () => (existsSync(state) ? readFileSync(state, 'utf8') : null);
    const before = read();
    const { status, out, err } = await guard(stdinOf(hookCase));
    expect([status, out]).toEqual([hookCase.expect.exit, '']);
    const check = EFFECTS[hookCase.expect.effect];
    if (check === undefined) throw new Error(`no check of ${hookCase.expect.effect}`);
    check(before, read());
    if (hookCase.expect.stderr !== undefined) expect(err).toMatch(/^[^\n]+\n$/);
    if (hookCase.expect.exit === 2) expect(err).toMatch(/^Blocked: /);
    if (/40 of 40 calls$/.test(hookCase.setup ?? '') && status === 2) expect(err).toContain('40 of 40');
  });
});

it.each(['Edit', 'Write', 'MultiEdit', 'write_file'])(
  'L5: %s may not write the state file, by whatever path',
  async (tool_name) => {
    prepare('loop: 3 of 40 calls');
    symlinkSync(path.join(folder, '.loop'), path.join(folder, 'link'));
    const payload = (file_path: string, cwd = folder) =>
      JSON.stringify({ session_id: SESSION, cwd, tool_name, tool_input: { file_path } });
    for (const file of [state, '.loop/state.json', './x/../.loop/state.json', 'link/state.json']) {
      expect(await guard(payload(file))).toMatchObject({
        status: 2,
        err: expect.stringContaining('Blocked: only the test step'),
      });
    }
    expect((await guard(payload('goal.md', path.join(folder, '.loop')))).status).toBe(0);
  },
);
