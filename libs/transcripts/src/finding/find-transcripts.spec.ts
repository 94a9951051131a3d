import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readTranscripts } from '../read-transcripts.js';
import { findTranscripts, transcriptsAt } from './find-transcripts.js';

const SESSION = '5e551000-0000-4000-a000-000000000001';
const claude = `${JSON.stringify({ type: 'assistant', sessionId: SESSION, message: { id: 'a', model: 'm', usage: { output_tokens: 1 } } })}\n`;
const codex = `${JSON.stringify({ type: 'session_meta', payload: { id: SESSION } })}\n`;

describe('findTranscripts', () => {
  let home: string;
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  };
  const find = async (env: Record<string, string> = {}, platform: NodeJS.Platform = 'linux') =>
    (await findTranscripts({ folder: home, platform, env })).map(({ client, id, parentId }) => [
      client,
      id,
      parentId ?? null,
    ]);

  beforeEach(() => {
    home = mkdtempSync(path.join(os.tmpdir(), 'perdure-find-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('U5: knows where each client keeps its transcripts, sub-agents too', async () => {
    write(`.claude/projects/-srv-x/${SESSION}.jsonl`, claude);
    write(`.claude/projects/-srv-x/${SESSION}/subagents/agent-a1.jsonl`, claude);
    write(`.claude/projects/-srv-x/${SESSION}/subagents/agent-a1.meta.json`, '{}');
    write(`.claude/projects/-srv-x/${SESSION}/subagents/workflows/w1/agent-a2.jsonl`, claude);
    write('.claude/history.jsonl', claude);
    write(`.codex/sessions/2026/11/10/rollout-2026-11-10T08-00-00-${SESSION}.jsonl`, codex);
    write(`.codex/archived_sessions/rollout-2026-11-10T08-00-00-${SESSION}.jsonl`, codex);
    write('.gemini/tmp/hash/chats/session-1.json', '{}');
    write('.gemini/tmp/hash/chats/g1/sub.jsonl', '{}');
    write('.gemini/tmp/hash/logs.json', '[]');
    write('.local/share/opencode/storage/message/ses_1/msg_1.json', '{}');
    write('.local/share/opencode/storage/part/msg_1/prt_1.json', '{}');
    write(`.copilot/session-state/${SESSION}/events.jsonl`, '{}');
    expect(await find()).toEqual([
      ['claude-code', `${SESSION}/agent-a1`, SESSION],
      ['claude-code', `${SESSION}/workflows/w1/agent-a2`, SESSION],
      ['claude-code', SESSION, null],
      ['codex', SESSION, null],
      ['codex', SESSION, null],
      ['gemini-cli', 'g1/sub', 'g1'],
      ['gemini-cli', 'session-1', null],
      ['opencode', 'msg_1.json', null],
      ['copilot-cli', SESSION, null],
    ]);
    const { transcripts } = await readTranscripts(
      await findTranscripts({ folder: home, platform: 'linux', env: {} }, ['codex']),
    );
    expect(transcripts).toHaveLength(1);
  });

  it('U5: follows the variables that move a client’s folder', async () => {
    write('one/projects/p/a.jsonl', claude);
    write('two/projects/p/b.jsonl', claude);
    write('cx/sessions/c.jsonl', codex);
    write('.claude/projects/p/d.jsonl', claude);
    const env = { CLAUDE_CONFIG_DIR: `${home}/one, ${home}/two,`, CODEX_HOME: `${home}/cx` };
    expect((await find(env)).map(([, id]) => id)).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['darwin', 'Library/Application Support/Claude', {}],
    ['win32', 'AppData/Roaming/Claude', {}],
    ['linux', '.config/Claude', {}],
  ] as const)('U5: finds what the desktop application of %s keeps', async (platform, folder, env) => {
    write(`${folder}/local-agent-mode-sessions/s/.claude/projects/p/a.jsonl`, claude);
    expect(await find(env, platform)).toEqual([['claude-code', 'a', null]]);
  });

  it('U5: a file is found once, whatever links lead to it, and a bad link stops nothing', async () => {
    write('real/projects/p/a.jsonl', claude);
    symlinkSync('real', path.join(home, 'alias'));
    symlinkSync('.', path.join(home, 'real/projects/loop'));
    symlinkSync('nowhere', path.join(home, 'real/projects/broken'));
    symlinkSync('a.jsonl', path.join(home, 'real/projects/p/again.jsonl'));
    expect(await find({ CLAUDE_CONFIG_DIR: `${home}/alias,${home}/real` })).toEqual([['claude-code', 'a', null]]);
  });

  it('U5: looks into files of unknown clients, and leaves out what nobody wrote', async () => {
    write('mixed/a.jsonl', claude);
    write('mixed/b.jsonl', codex);
    write('mixed/c.jsonl', '{"hello":1}\n');
    write('mixed/d.txt', claude);
    const found = await transcriptsAt([path.join(home, 'mixed'), path.join(home, 'missing')]);
    expect(found.map(({ client, id }) => [client, id])).toEqual([
      ['claude-code', 'a'],
      ['codex', 'b'],
    ]);
  });

  it('U5: a file that is gone is told of, and the others are read', async () => {
    write('a.jsonl', claude);
    const [file] = await transcriptsAt([path.join(home, 'a.jsonl')]);
    if (file === undefined) throw new Error('it was just written');
    const { transcripts, unreadable } = await readTranscripts([{ ...file, path: `${file.path}.gone` }, file]);
    expect([transcripts.length, unreadable.map((one) => one.path)]).toEqual([1, [`${file.path}.gone`]]);
  });
});
