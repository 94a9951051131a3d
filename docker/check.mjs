// `node docker/check.mjs [--dockerfile F] [--compose F]`: what can be judged of the images and of compose.yaml without an
// engine. Prints `file:line  what is wrong`, one a line; exit 1 if any.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { applications } from './assemble.mjs';
import { composeProblems } from './compose-rules.mjs';
import { readDockerfile } from './compose-model.mjs';
import { dockerfileProblems } from './dockerfile-rules.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const own = (file) => path.join(import.meta.dirname, file);

const { values } = parseArgs({
  options: {
    dockerfile: { type: 'string', default: own('Dockerfile') },
    compose: { type: 'string', default: own('compose.yaml') },
  },
});
const dockerfile = readDockerfile(readFileSync(values.dockerfile, 'utf8'));
const composeText = readFileSync(values.compose, 'utf8');
const apps = applications('src/main.ts');
const generated = readFileSync(own('init.mjs'), 'utf8').match(/(?<=')PERDURE_\w+(?=')/g) ?? [];

const problems = [
  ...dockerfileProblems(dockerfile, {
    root: ROOT,
    ignored: readFileSync(own('Dockerfile.dockerignore'), 'utf8'),
    apps,
  }).map((problem) => `docker/Dockerfile:${problem}`),
  ...composeProblems(composeText, { dockerfile, apps, generated }).map(
    (problem) => `docker/compose.yaml:1  ${problem}`,
  ),
];
for (const problem of problems) console.log(problem);
if (problems.length === 0) console.log('The Dockerfile and compose.yaml keep their rules.');
process.exitCode = problems.length === 0 ? 0 : 1;
