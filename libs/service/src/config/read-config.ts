import { readFileSync } from 'node:fs';
import { maskSecrets } from '../log/mask-secrets.js';
import { ConfigError, type ConfigProblem } from './config-error.js';
import type { ConfigOf, Setting, Settings } from './setting.js';
import { nearestName, VARIABLE_NAMES } from './variable-names.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ReadConfig<Config> {
  config: Config;
  /** To be logged once there is a logger: variables that nothing reads, with what was probably meant. */
  warnings: string[];
}

/** A text that was read, or why it could not be. */
type Source = { text: string | undefined } | { problem: string };

/**
 * Reads the environment in two steps: texts first (a `NAME_FILE` variable names a file that holds the value), then
 * one typed object. Throws a ConfigError that lists all problems, not the first.
 */
export function readConfig<S extends Settings>(settings: S, env: Environment): ReadConfig<ConfigOf<S>> {
  const problems: ConfigProblem[] = [];
  const config: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(settings)) {
    const read = readSetting(setting, env);
    if ('problem' in read) problems.push(read.problem);
    else config[key] = read.value;
  }
  if (problems.length > 0) throw new ConfigError(problems);
  // Every key of `settings` was given the value its own schema returned.
  return { config: config as ConfigOf<S>, warnings: unknownVariables(settings, env) };
}

function readSetting(setting: Setting<unknown>, env: Environment): { value: unknown } | { problem: ConfigProblem } {
  const { variable, expected, example } = setting;
  const source = readSource(variable, env);
  if ('problem' in source) return { problem: { variable, seen: source.problem, expected, example } };
  const parsed = setting.schema.safeParse(source.text);
  if (parsed.success) return { value: parsed.data };
  return { problem: { variable, seen: seenAs(source.text, setting), expected, example } };
}

function readSource(variable: string, env: Environment): Source {
  // An empty variable is how compose files and shells spell "unset".
  const direct = env[variable] === '' ? undefined : env[variable];
  const file = env[`${variable}_FILE`];
  if (file === undefined || file === '') return { text: direct };
  if (direct !== undefined) return { problem: `set twice, here and through ${variable}_FILE` };
  try {
    return { text: readFileSync(file, 'utf8').trim() };
  } catch (error) {
    const reason = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unreadable';
    return { problem: `${variable}_FILE names ${file}, which cannot be read (${reason})` };
  }
}

function seenAs(text: string | undefined, { shown }: Setting<unknown>): string {
  if (text === undefined) return 'not set';
  if (shown === 'length') return `a value of ${text.length} characters`;
  return `"${shown === 'url' ? urlWithoutSecrets(text) : maskSecrets(text)}"`;
}

/** Scheme, user, host and path. A text without `//` may be a password as well as anything else, so nothing of it is shown. */
function urlWithoutSecrets(text: string): string {
  if (!text.includes('://') || !URL.canParse(text)) return `${text.length} characters that are not a url`;
  const { protocol, username, password, host, pathname } = new URL(text);
  const user = username === '' && password === '' ? '' : `${username}:***@`;
  return `${protocol}//${user}${host}${pathname}`;
}

function unknownVariables(settings: Settings, env: Environment): string[] {
  const own = Object.values(settings).map(({ variable }) => variable);
  const known = [...new Set([...VARIABLE_NAMES, ...own])].flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(env)
    .filter((name) => name.startsWith('PERDURE_') && !known.includes(name))
    .map((name) => {
      const meant = nearestName(name, known);
      return meant ? `${name} is not known; did you mean ${meant}?` : `${name} is not known and has no effect`;
    });
}
