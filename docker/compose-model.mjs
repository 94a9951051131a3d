// Reads compose.yaml and the Dockerfile as far as check.mjs and rehearse.mjs need them. No engine is asked.
import yaml from 'yaml';

/** @param {string} text of a compose file; merge keys (`<<`) are resolved */
export const readCompose = (text) => yaml.parse(text, { merge: true });

const VARIABLE = /\$\$|\$\{(?<name>[A-Z0-9_]+)(?:(?<how>:-|:\?)(?<rest>[^}]*))?\}/g;

/**
 * Every string of a value with its variables filled in, as compose does it.
 * @param {Record<string, string>} env
 * @throws Error with the text behind `:?` when such a variable is missing or empty
 */
export function interpolate(value, env) {
  if (Array.isArray(value)) return value.map((entry) => interpolate(entry, env));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, interpolate(entry, env)]));
  }
  if (typeof value !== 'string') return value;
  return value.replaceAll(VARIABLE, (match, ...found) => {
    if (match === '$$') return '$';
    const { name, how, rest } = found.at(-1);
    const set = env[name] ?? '';
    if (set === '' && how === ':?') throw new Error(`required variable ${name} is missing a value: ${rest}`);
    return set === '' && how === ':-' ? rest : set;
  });
}

/** Names of the variables that must be set. */
export function requiredVariables(text) {
  const required = [...text.matchAll(VARIABLE)].filter(({ groups }) => groups.how === ':?');
  return [...new Set(required.map(({ groups }) => groups.name))];
}

/** @returns {Record<string, string>} of a file with `NAME=value` lines */
export const readEnvFile = (text) =>
  Object.fromEntries([...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

/**
 * @typedef {{keyword: string, rest: string, line: number}} Instruction
 * @typedef {{name: string, from: string, line: number, instructions: Instruction[]}} Stage
 * @param {string} text of a Dockerfile
 * @returns {{args: Record<string, string>, stages: Stage[]}} `args` are those before the first stage
 */
export function readDockerfile(text) {
  const args = {};
  const stages = [];
  for (const { keyword, rest, line } of instructionsOf(text)) {
    if (keyword === 'FROM') {
      const [, from, name = ''] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      stages.push({ name, from: interpolate(from, args), line, instructions: [] });
    } else if (stages.length > 0) stages.at(-1).instructions.push({ keyword, rest, line });
    else if (keyword === 'ARG') Object.assign(args, pairsOf(rest));
  }
  return { args, stages };
}

/** One entry per instruction, continued lines joined, comments left out. */
function instructionsOf(text) {
  const found = [];
  let open = null;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const more = line.endsWith('\\');
    const part = more ? line.slice(0, -1).trim() : line;
    if (open === null) {
      const [keyword] = part.split(/\s/);
      open = { keyword: keyword.toUpperCase(), rest: part.slice(keyword.length).trim(), line: index + 1 };
    } else open.rest += ` ${part}`;
    if (more) continue;
    found.push(open);
    open = null;
  }
  return found;
}

/** `A=1 B="two words"` as an object; a name alone has the empty value. */
export function pairsOf(rest) {
  const pairs = rest.matchAll(/([A-Za-z0-9_.]+)(?:=("[^"]*"|\S*))?/g);
  return Object.fromEntries([...pairs].map(([, name, value = '']) => [name, value.replaceAll('"', '')]));
}

/** All instructions a stage consists of, its ancestors' first. */
export function inheritedInstructions({ stages }, stage) {
  const parent = stages.find(({ name }) => name !== '' && name === stage.from);
  return parent ? [...inheritedInstructions({ stages }, parent), ...stage.instructions] : stage.instructions;
}

/** The environment of a container of that stage. */
export const environmentOf = (dockerfile, stage) =>
  Object.assign(
    {},
    ...inheritedInstructions(dockerfile, stage)
      .filter(({ keyword }) => keyword === 'ENV')
      .map(({ rest }) => pairsOf(rest)),
  );

/** The last instruction of that keyword, which is the one that counts. */
export const lastOf = (dockerfile, stage, keyword) =>
  inheritedInstructions(dockerfile, stage)
    .filter((instruction) => instruction.keyword === keyword)
    .at(-1)?.rest;
