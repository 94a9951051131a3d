import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { usageTranscript } from '@perdure/contracts';
import { EXIT } from '../exit-status.js';
import { writeSessionState } from '../hooks/session-state.js';
import { main } from '../main.js';
import { batchesOf, reportLine } from './usage-batches.js';

const SESSION = '5e551000-0000-4000-a000-000000000001';
const answer = (id: string, output: number) =>
  `${JSON.stringify({ type: 'assistant', timestamp: '2026-11-10T10:00:00.000Z', sessionId: SESSION, message: { id, model: 'm', usage: { output_tokens: output } } })}\n`;

describe('perdure usage', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(os.tmpdir(), 'perdure-cli-usage-'));
    mkdirSync(path.join(home, '.claude/projects/p'), { recursive: true });
    writeFileSync(path.join(home, `.claude/projects/p/${SESSION}.jsonl`), answer('a', 5) + answer('a', 7));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  async function run(argv: string[], env: Record<string, string> = {}, isTTY = false) {
    const [stdout, stderr, stdin] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY }), new PassThrough()];
    const status = await main(['usage', ...argv], {
      env: { HOME: home, ...env },
      stdout,
      stderr,
      stdin,
      cwd: () => home,
    });
    return { status, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
  }
  const spooled = () => {
    const folder = path.join(home, '.local/state/perdure/usage-spool');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(folder, name))
      .filter((file) => statSync(file).isFile());
  };

  it('C1, U5: prints exactly the reports that would be sent, and sends nothing', async () => {
    const { status, out, err } = await run(['report', '--dry-run', '--json', '--project', 'demo']);
    expect([status, err]).toEqual([EXIT.done, '']);
    const { reports } = JSON.parse(out);
    expect(reports).toHaveLength(1);
    const { project, ...report } = reports[0];
    expect(project).toBe('demo');
    expect(usageTranscript.parse(report)).toMatchObject({
      transcript_id: SESSION,
      client: 'claude-code',
      models: [{ model: 'm', turns: 1, output_tokens: 7 }],
      responses: [{ output_tokens: 7 }],
    });
  });

  it('C2, U1: a transcript belongs to the build session that a hook noted in this checkout', async () => {
    execFileSync('git', ['init', '--quiet', home]);
    const build_session_id = '01K5ZQ8W3M9X7B2C4D6E8F0G1H';
    await writeSessionState(home, SESSION, { build_session_id, project: 'p', client: 'claude-code' });
    mkdirSync(path.join(home, `.claude/projects/p/${SESSION}/subagents`), { recursive: true });
    writeFileSync(path.join(home, `.claude/projects/p/${SESSION}/subagents/agent-a1.jsonl`), answer('s', 1));
    writeFileSync(path.join(home, '.claude/projects/p/other.jsonl'), answer('o', 1));
    writeFileSync(path.join(home, '.perdure/sessions/broken.json'), '{');
    const { out } = await run(['report', '--dry-run', '--json']);
    const { reports }: { reports: Record<string, string>[] } = JSON.parse(out);
    expect(Object.fromEntries(reports.map((one) => [one['transcript_id'], one['build_session_id']]))).toEqual({
      [SESSION]: build_session_id,
      [`${SESSION}/agent-a1`]: build_session_id,
      other: undefined,
    });
  });

  it('C1: reads given files, of a given client, without responses when asked', async () => {
    const file = path.join(home, 'other.jsonl');
    writeFileSync(file, answer('b', 1));
    const { out } = await run(['report', file, '--client', 'claude-code', '--no-responses', '--dry-run', '--json']);
    expect(JSON.parse(out).reports).toMatchObject([{ transcript_id: 'other' }]);
    expect(out).not.toContain('"responses"');
    expect(
      JSON.parse((await run(['report', file, '--client', 'codex', '--dry-run', '--json'])).out).reports,
    ).toMatchObject([{ models: [] }]);
    expect((await run(['report', '--client', 'nobody'])).status).toBe(EXIT.usage);
  });

  it('C1: shows a bar on a terminal and nowhere else', async () => {
    expect((await run(['report', '--dry-run'], {}, true)).err).toContain('100 %');
    const plain = await run(['report', '--dry-run']);
    expect([plain.err, plain.out]).toEqual([
      '',
      '1 transcripts, 1 turns; 0 copied responses left out, 0 transcripts with warnings.\nNothing was sent.\n',
    ]);
  });

  it('C1: says what is not configured', async () => {
    const { status, err } = await run(['report'], { PERDURE_URL: 'http://127.0.0.1:9' });
    expect([status, err]).toEqual([EXIT.usage, expect.stringContaining('PERDURE_TOKEN')]);
  });

  describe('with a server', () => {
    const received: { key: string | null; lines: string }[] = [];
    let server: Server;
    let url: string;
    let refusal: { status: number; body: string } | null;

    // Answers as the route does: what the route itself does is tested where it stands.
    beforeAll(async () => {
      server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const { searchParams } = new URL(request.url ?? '', 'http://localhost');
          if (refusal !== null) return response.writeHead(refusal.status).end(refusal.body);
          received.push({ key: searchParams.get('batch_key'), lines: String(gunzipSync(Buffer.concat(chunks))) });
          return response
            .writeHead(202)
            .end(JSON.stringify({ batch_id: `batch-${received.length}`, status: 'received' }));
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo; // it listens on a port
      url = `http://127.0.0.1:${port}`;
    });
    beforeEach(() => {
      received.length = 0;
      refusal = null;
    });
    afterAll(() => server.close());
    const env = () => ({ PERDURE_URL: url, PERDURE_TOKEN: 'token' });

    it('U3: hands in what --dry-run shows, one report a line, and the same again under the same key', async () => {
      const { reports } = JSON.parse((await run(['report', '--dry-run', '--json'])).out);
      expect(await run(['report'], env())).toEqual({
        status: EXIT.done,
        out: '1 reports handed in as batch-1.\n',
        err: '',
      });
      await run(['report'], env());
      expect(received.map(({ lines }) => lines)).toEqual(Array(2).fill(`${JSON.stringify(reports[0])}\n`));
      expect(new Set(received.map(({ key }) => key)).size).toBe(1);
    });

    it('U3: keeps what cannot be sent and sends it with the next report, once', async () => {
      refusal = { status: 503, body: 'away' };
      for (let times = 0; times < 2; times += 1) {
        const away = await run(['report'], env());
        expect([away.status, away.err]).toEqual([EXIT.unreachable, expect.stringContaining('1 reports are kept in')]);
      }
      expect(spooled()).toHaveLength(1);
      expect(spooled().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
      writeFileSync(path.join(home, `.claude/projects/p/second.jsonl`), answer('b', 1));
      refusal = null;
      expect((await run(['report'], { ...env(), PERDURE_TOKEN: 'of another workspace' })).status).toBe(EXIT.done);
      expect(received).toHaveLength(1);
      expect((await run(['report', '--json'], env())).status).toBe(EXIT.done);
      expect(received.map(({ lines }) => lines.trim().split('\n').length)).toEqual([2, 1, 2]);
      expect(spooled()).toEqual([]);
    });

    it('U3: a kept batch that is refused is dropped, and stands in nobody’s way', async () => {
      refusal = { status: 503, body: 'away' };
      await run(['report'], env());
      refusal = {
        status: 422,
        body: JSON.stringify({ error: { kind: 'invalid', code: 'invalid_input', message: 'no', hint: '' } }),
      };
      const { status, err } = await run(['report'], env());
      expect([status, err]).toEqual([EXIT.refused, expect.stringContaining('dropped')]);
      expect(spooled()).toEqual([]);
    });
  });
});

describe('batchesOf', () => {
  it('U3: cuts at 10,000 reports and below 16 MiB, and loses none', () => {
    const many = Array.from({ length: 10_001 }, (_, index) => `{"n":${index}}`);
    expect(batchesOf(many).map(({ lines }) => lines.split('\n').length - 1)).toEqual([10_000, 1]);
    const large = Array.from({ length: 4 }, () => 'x'.repeat(6 << 20));
    expect(batchesOf(large).map(({ lines }) => lines.length <= 16 << 20)).toEqual([true, true]);
    expect(batchesOf([])).toEqual([]);
  });

  it('U6: a report too long for a batch goes without its list, and says so', () => {
    const report = { transcript_id: 'a', warnings: ['bad_lines 1'], responses: ['x'.repeat(16 << 20)], models: [] };
    expect(JSON.parse(reportLine(report))).toEqual({
      transcript_id: 'a',
      warnings: ['bad_lines 1', 'responses_not_listed'],
      models: [],
    });
    expect(JSON.parse(reportLine({ ...report, responses: [] }))).toEqual({ ...report, responses: [] });
  });
});
