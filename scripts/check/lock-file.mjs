// The lock files: present, in step with every package.json, naming no host, and the one of the product bringing in no
// licence we may not ship beside.
import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import path from 'node:path';

const LOCK = 'package-lock.json';
/** Programs that a test runs and nothing ships. */
const TEST_LOCK = 'conformance/package-lock.json';

/** Permissive licences, by SPDX name. CC-BY-4.0 and Python-2.0 are of data and a parser that only the tools bring along. */
const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** `(MIT OR GPL-2.0)` is fine when one side is, `Apache-2.0 AND MIT` only when both are. */
const isPermitted = (expression) =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => LICENCES.has(licence.trim())));

const licenceProblems = ([name, entry]) => {
  if (entry.link || name === '') return [];
  return isPermitted(entry.license ?? 'none stated')
    ? []
    : [`${LOCK}:1  ${name} has licence ${entry.license ?? 'none'}`];
};

const hostProblems = (lock, [name, entry]) =>
  /^https?:/.test(entry.resolved ?? '') ? [`${lock}:1  ${name} is resolved to a host, see .npmrc`] : [];

const manifestProblems = (root, [name, entry]) => {
  const manifestFile = path.join(root, name, 'package.json');
  if (name.includes('node_modules/') || !existsSync(manifestFile)) return [];
  const manifest = readJson(manifestFile);
  return DEPENDENCY_FIELDS.filter((field) => !isDeepStrictEqual(manifest[field] ?? {}, entry[field] ?? {})).map(
    (field) => `${path.posix.join(name, 'package.json')}:1  ${field} differ from the lock file: run npm install`,
  );
};

const readLock = (root, lock) => Object.entries(readJson(path.join(root, lock)).packages);

/**
 * @param {string} root folder of the repository
 * @returns {string[]} one line for each problem
 */
export const lockFileProblems = (root) => {
  const missing = [LOCK, TEST_LOCK].filter((lock) => !existsSync(path.join(root, lock)));
  if (missing.length > 0) return missing.map((lock) => `${lock}:1  is missing`);
  return [
    ...readLock(root, LOCK).flatMap((entry) => [
      ...licenceProblems(entry),
      ...hostProblems(LOCK, entry),
      ...manifestProblems(root, entry),
    ]),
    ...readLock(root, TEST_LOCK).flatMap((entry) => [
      ...hostProblems(TEST_LOCK, entry),
      ...manifestProblems(path.join(root, path.dirname(TEST_LOCK)), entry),
    ]),
  ];
};
