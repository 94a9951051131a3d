import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Environment, ServerAddress } from '../rest/server-address.js';
import type { UsageBatch } from './usage-batches.js';

/** More than these are transcripts that are still there to be read again: the oldest go. */
const BATCHES_LIMIT = 100;
const ENDING = '.ndjson';

/**
 * Batches that could not be sent, a file each, named after its key and written whole or not at all: a run that is killed
 * sends a batch again and never another one. They belong to one server and one credential, so that a report never
 * reaches another workspace.
 */
export class UsageSpool {
  /** In `$XDG_STATE_HOME/perdure` (XDG Base Directory Specification). */
  readonly folder: string;

  constructor(env: Environment, { url, token }: ServerAddress) {
    const state = env['XDG_STATE_HOME'] || path.join(env['HOME'] || os.homedir(), '.local', 'state');
    const owner = createHash('sha256').update(`${url}\0${token}`).digest('hex').slice(0, 16);
    this.folder = path.join(state, 'perdure', 'usage-spool', owner);
  }

  /** The oldest first. */
  async keys(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    const kept = names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length));
    const dated = await Promise.all(kept.map(async (key) => ({ key, at: (await stat(this.#file(key))).mtimeMs })));
    return dated.toSorted((a, b) => a.at - b.at).map(({ key }) => key);
  }

  async read(key: string): Promise<UsageBatch> {
    return { key, lines: await readFile(this.#file(key), 'utf8') };
  }

  async keep({ key, lines }: UsageBatch): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const started = `${this.#file(key)}.${process.pid}`;
    await writeFile(started, lines, { mode: 0o600 });
    await rename(started, this.#file(key));
    for (const old of (await this.keys()).slice(0, -BATCHES_LIMIT)) await this.remove(old);
  }

  async remove(key: string): Promise<void> {
    await rm(this.#file(key), { force: true });
  }

  #file(key: string): string {
    return path.join(this.folder, `${key}${ENDING}`);
  }
}
