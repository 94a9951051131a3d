// Every package a source imports stands in its own package.json, in `dependencies`; a test may also use `devDependencies`,
// those of the root included.
// The hoisted node_modules would let an undeclared one run here and fail in the image; knip overlooks our own packages.
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import ts from 'typescript';
import { isTestFile } from './test-files.mjs';

const packageName = (specifier) =>
  specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0];

const isBare = (specifier) => !/^[.#/]/.test(specifier) && !isBuiltin(specifier);

const readManifest = (folder) => {
  const file = path.join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
};

const declaredIn = (manifest, root, isTest) => {
  const shipped = { ...manifest.dependencies, ...manifest.peerDependencies, [manifest.name]: 'itself' };
  return isTest ? { ...shipped, ...manifest.devDependencies, ...root.devDependencies } : shipped;
};

/**
 * @param {{path: string, lines: string[]}[]} files TypeScript sources, paths from the repository's root
 * @returns {string[]} one line for each undeclared import, `path:line  what`
 */
export const undeclaredImports = (files) => {
  const manifests = new Map();
  const manifestOf = (folder) => {
    if (!manifests.has(folder)) manifests.set(folder, readManifest(folder));
    return manifests.get(folder);
  };
  return files.flatMap((file) => {
    const manifest = manifestOf(file.path.split('/src/')[0]);
    const declared = declaredIn(manifest, manifestOf('.'), isTestFile(file.path));
    const text = file.lines.join('\n');
    return ts
      .preProcessFile(text)
      .importedFiles.filter(({ fileName }) => isBare(fileName) && !(packageName(fileName) in declared))
      .map(({ fileName, pos }) => {
        const line = text.slice(0, pos).split('\n').length;
        return `${file.path}:${line}  imports ${packageName(fileName)}, which its package.json does not list`;
      });
  });
};
