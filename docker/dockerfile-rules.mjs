// What the Dockerfile must keep to. Each rule answers with `line  what is wrong` for each breach.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { inheritedInstructions, lastOf, pairsOf } from './compose-model.mjs';

const LABELS = ['title', 'description', 'licenses', 'version', 'revision', 'created'].map(
  (name) => `org.opencontainers.image.${name}`,
);
/** `PERDURE_TOKEN_FILE` and the like would only name a file; a value has no business in an image. */
const SECRET_NAME = /password|passwd|secret|token|credential|private_?key|api_?key|database_url|queue_url/i;
const FULL_VERSION = /^[^\s@]+:v?\d+\.\d+(?:\.\d+)?[\w.-]*(?:@sha256:[0-9a-f]{64})?$/;

const isExecForm = (rest) => {
  try {
    return Array.isArray(JSON.parse(rest));
  } catch {
    return false;
  }
};

const imageProblems = ({ stages }) =>
  stages
    .filter(({ from }) => !stages.some(({ name }) => name === from))
    .filter(({ from }) => !FULL_VERSION.test(from))
    .map(({ from, line }) => `${line}  ${from} is not a full version`);

const instructionProblems = ({ stages }) =>
  stages.flatMap(({ instructions }) =>
    instructions.flatMap(({ keyword, rest, line }) => {
      const found = [];
      if (keyword === 'ADD') found.push('ADD unpacks and downloads: use COPY');
      if (keyword === 'MAINTAINER') found.push('MAINTAINER is a label today');
      if (keyword === 'RUN' && /\b(?:curl|wget)\b[^|]*\|\s*(?:ba)?sh\b/.test(rest))
        found.push('runs what it downloads');
      if (keyword === 'RUN' && /\bsudo\b|\bchmod\s+(?:-R\s+)?0?777\b/.test(rest)) found.push('sudo or chmod 777');
      if (keyword === 'RUN' && /\bnpm\s+(?:install|i)\b/.test(rest))
        found.push('npm ci, not npm install: the lock file decides');
      if (['ENV', 'ARG'].includes(keyword)) {
        const secrets = Object.keys(pairsOf(rest)).filter((name) => SECRET_NAME.test(name));
        found.push(...secrets.map((name) => `${name} would stay in the image for everybody to read`));
      }
      return found.map((what) => `${line}  ${what}`);
    }),
  );

/** Patterns of the ignore file that a path below the context falls under; enough for the patterns that stand there. */
const isIgnored = (source, ignored) =>
  ignored
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .some((pattern) => {
      const name = pattern.replace('**/', '');
      return pattern.startsWith('**/')
        ? source.split('/').includes(name)
        : source === name || source.startsWith(`${name}/`);
    });

const copyProblems = ({ stages }, { root, ignored }) =>
  stages.flatMap(({ instructions }, index) =>
    instructions
      .filter(({ keyword }) => keyword === 'COPY')
      .flatMap(({ rest, line }) => {
        const words = rest.split(/\s+/);
        const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
        if (from !== undefined) {
          const known = stages.slice(0, index).some(({ name }) => name === from);
          return known ? [] : [`${line}  there is no stage ${from} before this one`];
        }
        const sources = words.filter((word) => !word.startsWith('--')).slice(0, -1);
        const missing = sources.filter((source) => !existsSync(path.join(root, source)));
        const hidden = sources.filter((source) => isIgnored(source, ignored));
        return [
          ...missing.map((source) => `${line}  ${source} does not exist`),
          ...hidden.map((source) => `${line}  ${source} is kept out of the context by Dockerfile.dockerignore`),
        ];
      }),
  );

/** A compiled file that a command names has a source. */
const hasSource = (root, file) =>
  existsSync(path.join(root, file)) ||
  existsSync(path.join(root, file.replace('/dist/', '/src/').replace(/\.js$/, '.ts')));

/** Stages that somebody runs: those that say what to run. */
const targetsOf = (dockerfile) =>
  dockerfile.stages.filter(({ instructions }) => instructions.some(({ keyword }) => keyword === 'CMD'));

const targetProblems = (dockerfile, { root }) =>
  targetsOf(dockerfile).flatMap((stage) => {
    const found = [];
    const [uid = ''] = (lastOf(dockerfile, stage, 'USER') ?? '').split(':');
    if (!/^[1-9]\d*$/.test(uid)) found.push('runs as root, or as a name instead of a number');
    if (lastOf(dockerfile, stage, 'STOPSIGNAL') !== 'SIGTERM') found.push('STOPSIGNAL is not SIGTERM');
    if (lastOf(dockerfile, stage, 'HEALTHCHECK') === undefined) found.push('has no HEALTHCHECK');
    for (const keyword of ['ENTRYPOINT', 'CMD']) {
      if (!isExecForm(lastOf(dockerfile, stage, keyword))) found.push(`${keyword} needs a shell: write it as a list`);
    }
    const command = lastOf(dockerfile, stage, 'CMD') ?? '';
    const files = isExecForm(command) ? JSON.parse(command).filter((word) => /\.m?js$/.test(word)) : [];
    found.push(...files.filter((file) => !hasSource(root, file)).map((file) => `${file} has no source`));
    const labels = inheritedInstructions(dockerfile, stage).filter(({ keyword }) => keyword === 'LABEL');
    const given = Object.assign({}, ...labels.map(({ rest }) => pairsOf(rest)));
    found.push(...LABELS.filter((label) => !(label in given)).map((label) => `has no label ${label}`));
    return found.map((what) => `${stage.line}  ${stage.name} ${what}`);
  });

const missingTargets = (dockerfile, { apps }) =>
  apps
    .filter((app) => !targetsOf(dockerfile).some(({ name }) => name === app))
    .map((app) => `1  there is no target for apps/${app}`);

const RULES = [imageProblems, instructionProblems, copyProblems, targetProblems, missingTargets];

/**
 * @param {{root: string, ignored: string, apps: string[]}} context `ignored` is the text of the ignore file
 * @returns {string[]} `line  what` for each breach
 */
export const dockerfileProblems = (dockerfile, context) => RULES.flatMap((rule) => rule(dockerfile, context));
