// The files that are measured, parsed once.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { isTestFile } from '../check/test-files.mjs';

/** What ships. The test kit is counted with the tests: it exists for nothing else. */
const SOURCE_FOLDERS = ['libs', 'apps'];
const TEST_ONLY = /^(?:libs\/testkit|e2e)\//;

const isTypeScript = (name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts');

const foldersOf = (root, folder) =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}/${entry.name}`);

const filesUnder = (root, folder) => {
  const listed = readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true });
  return listed
    .filter((entry) => entry.isFile() && isTypeScript(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
};

const hasSources = (root, folder) => readdirSync(path.join(root, folder)).includes('src');

const parse = (root, file) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return { path: file, text, tree, lineCount: tree.getLineStarts().length - (text.endsWith('\n') ? 1 : 0) };
};

/**
 * @param {string} root folder of the repository
 * @returns {{sources: SourceFile[], tests: SourceFile[]}} each `{path, text, tree, lineCount}`, `path` from the root with `/`
 */
export const readSourceFiles = (root) => {
  const packages = [...SOURCE_FOLDERS.flatMap((folder) => foldersOf(root, folder)), 'e2e'];
  const files = packages
    .filter((folder) => hasSources(root, folder))
    .flatMap((folder) => filesUnder(root, `${folder}/src`))
    .map((file) => parse(root, file));
  const isTest = (file) => isTestFile(file.path) || TEST_ONLY.test(file.path);
  return { sources: files.filter((file) => !isTest(file)), tests: files.filter(isTest) };
};
