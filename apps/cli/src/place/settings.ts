import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { LoopSettings } from '@perdure/loop-file';
import { CommandFailure, EXIT } from '../exit-status.js';
import { isJsonObject, type JsonObject } from '../json-object.js';
import type { Environment } from '../rest/server-address.js';

/** What the file of a checkout may say; it is committed, so it holds no secret. */
const CHECKOUT_FILE = 'perdure.json';

/** Where the server is, with which credentials it is asked, and what a checkout says about itself. */
export interface Settings {
  readonly url: string | undefined;
  readonly token: string | undefined;
  /** Of the test step: the one scope that an agent's credential never has (L3). */
  readonly measurerToken: string | undefined;
  /** Id or slug; without one the project is known by its remote. */
  readonly project: string | undefined;
  readonly loop: LoopSettings & { readonly name: string };
}

const CHECKOUT_KEYS = ['url', 'project', 'loop'];
const LOOP_KEYS = ['name', 'cap', 'no_progress_limit'];
const USER_KEYS = ['url', 'token', 'measurer_token'];
const DEFAULT_LOOP = 'default';

/**
 * The one place of configuration, the same for commands, hooks and skills. The environment goes before the checkout's
 * `perdure.json`, the nearest one upward from the folder, and that before the user's own file.
 *
 * @throws CommandFailure naming the file and the key that is wrong
 */
export async function readSettings(folder: string, env: Environment): Promise<Settings> {
  const [checkoutFile, checkout] = await nearest(folder);
  const userFile = userConfigFile(env);
  const user = (await readValues(userFile)) ?? {};
  requireKeys(checkoutFile, checkout, CHECKOUT_KEYS);
  requireKeys(userFile, user, USER_KEYS);
  const loop = checkout['loop'] ?? {};
  if (!isJsonObject(loop)) throw wrong(checkoutFile, 'loop must be an object');
  requireKeys(checkoutFile, loop, LOOP_KEYS, 'loop.');
  return {
    url: env['PERDURE_URL'] || textOf(checkoutFile, checkout, 'url') || textOf(userFile, user, 'url'),
    token: env['PERDURE_TOKEN'] || textOf(userFile, user, 'token'),
    measurerToken: env['PERDURE_MEASURER_TOKEN'] || textOf(userFile, user, 'measurer_token'),
    project: env['PERDURE_PROJECT'] || textOf(checkoutFile, checkout, 'project'),
    loop: { ...loop, name: textOf(checkoutFile, loop, 'name') || DEFAULT_LOOP },
  };
}

/** `$XDG_CONFIG_HOME/perdure/config.json` (XDG Base Directory Specification). */
function userConfigFile(env: Environment): string {
  const home = env['XDG_CONFIG_HOME'] || path.join(env['HOME'] || os.homedir(), '.config');
  return path.join(home, 'perdure', 'config.json');
}

/** A project in a folder of a repository has a file of its own there. */
async function nearest(folder: string): Promise<[string, JsonObject]> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const file = path.join(at, CHECKOUT_FILE);
    const values = await readValues(file);
    if (values !== null) return [file, values];
    if (at === path.dirname(at)) return [CHECKOUT_FILE, {}];
  }
}

async function readValues(file: string): Promise<JsonObject | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const values: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isJsonObject(values)) return values;
  } catch {
    // Said below, as for JSON of another kind.
  }
  throw wrong(file, 'it must hold one JSON object');
}

function requireKeys(file: string, values: JsonObject, known: readonly string[], prefix = ''): void {
  const unknown = Object.keys(values).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  const names = unknown.map((key) => `${prefix}${key}`).join(', ');
  throw wrong(file, `${names} is unknown; it may have ${known.map((key) => `${prefix}${key}`).join(', ')}`);
}

function textOf(file: string, values: JsonObject, key: string): string | undefined {
  const value = values[key];
  if (value === undefined || typeof value === 'string') return value;
  throw wrong(file, `${key} must be a text`);
}

const wrong = (file: string, problem: string): CommandFailure => new CommandFailure(EXIT.usage, `${file}: ${problem}.`);
