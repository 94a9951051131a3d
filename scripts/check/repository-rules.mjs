// Rules of this repository that no published tool checks. Prints `file:line  what is wrong`, one a line; exit 1 if any.
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { undeclaredImports } from './declared-imports.mjs';
import { lockFileProblems } from './lock-file.mjs';
import { isSpecFile } from './test-files.mjs';

const MAX_LINES = 400;
/** A spec file is read one test at a time, so it may be longer. */
const MAX_SPEC_LINES = 500;

const SKIPPED_OR_FOCUSED = [
  /\b(?:it|test|describe)(?:\.concurrent)?\.(?:skip|only|todo|failing)\b/,
  /(?:^|[^\w.])(?:xit|xtest|xdescribe|fit|fdescribe)\(/,
];

/** Hosts packages come from. A clone installs from the registry its own user configured, so no file may name one. */
const REGISTRY_HOST = new RegExp(
  [
    // The MCP registry lists servers, not packages.
    String.raw`\b(?:registry|npm|npmmirror)\.(?!modelcontextprotocol)(?:[a-z0-9-]+\.)+(?:org|com|net|io|dev)\b`,
    String.raw`\b(?:yarnpkg|jsr|pythonhosted|pypi)\.(?:com|io|org)\b`,
    String.raw`https?://[^\s/"']*(?:artifactory|nexus|verdaccio|npm-proxy)[^\s"']*`,
  ].join('|'),
  'i',
);

/** A path of one particular machine: right there, wrong everywhere else. */
const MACHINE_PATH = /(?:^|[\s"'`(=:,[>])\/(?:work|root|home|Users)\/[\w.-]/;

const SOURCE_FILE = /^(?:libs|apps|e2e|bench)\/(?:.+\/)?src\/.+\.tsx?$/;
const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)*\.tsx?$/;
/** Nouns that say nothing about what a file or folder holds, so anything ends up in it. */
const EMPTY_NAME = /[-/](?:utils?|helpers?|common|managers?|misc)(?:\/|\.tsx?$)/;

const linesMatching = (file, patterns, message) =>
  file.lines.flatMap((line, index) =>
    patterns.some((pattern) => pattern.test(line)) ? [`${file.path}:${index + 1}  ${message}`] : [],
  );

const testProblems = (file) =>
  isSpecFile(file.path) ? linesMatching(file, SKIPPED_OR_FOCUSED, 'a skipped or focused test') : [];

const registryProblems = (file) => linesMatching(file, [REGISTRY_HOST], 'names the host of a package registry');

const pathProblems = (file) => {
  // Paths inside an image are the image's own, not this machine's.
  if (/(?:^|\/)Dockerfile/.test(file.path)) return [];
  return linesMatching(file, [MACHINE_PATH], 'an absolute path of one machine');
};

const lengthProblems = (file) => {
  if (!/\.tsx?$/.test(file.path)) return [];
  const limit = isSpecFile(file.path) ? MAX_SPEC_LINES : MAX_LINES;
  const count = file.lines.at(-1) === '' ? file.lines.length - 1 : file.lines.length;
  return count > limit ? [`${file.path}:${count}  ${count} lines, at most ${limit}`] : [];
};

const nameProblems = (file) => {
  if (!SOURCE_FILE.test(file.path)) return [];
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  if (!KEBAB_CASE.test(name)) return [`${file.path}:1  a file name is kebab-case`];
  return EMPTY_NAME.test(file.path) ? [`${file.path}:1  a name that does not say what the file holds`] : [];
};

const FILE_RULES = [testProblems, registryProblems, pathProblems, lengthProblems, nameProblems];

/** Every text file git tracks or would track: new files are checked before they are committed. */
const repositoryFiles = () => {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const paths = [...new Set(listed.split('\0'))].filter((path) => path && existsSync(path) && lstatSync(path).isFile());
  return paths.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return text.slice(0, 8_000).includes('\0') ? [] : [{ path, lines: text.split('\n') }];
  });
};

/**
 * Judges files by every rule of this repository.
 * @param {{path: string, lines: string[]}[]} files paths from the repository's root, with `/`
 * @returns {string[]} one line for each problem, `path:line  what`
 */
const repositoryProblems = (files) => [
  ...files.flatMap((file) => FILE_RULES.flatMap((rule) => rule(file))),
  ...undeclaredImports(files.filter((file) => SOURCE_FILE.test(file.path))),
];

const problems = [...repositoryProblems(repositoryFiles()), ...lockFileProblems(process.cwd())];
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
