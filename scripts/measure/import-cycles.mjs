// Import cycles over the whole tree, type imports and imports across packages included.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const specifiersOf = (text) => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);

/** `@perdure/store` → `libs/store/src/index.ts`, read from each package's name. */
const indexByName = (root, files) => {
  const folders = new Set(files.map((file) => file.path.split('/src/')[0]));
  const named = [...folders].flatMap((folder) => {
    const manifest = path.join(root, folder, 'package.json');
    return existsSync(manifest) ? [[JSON.parse(readFileSync(manifest, 'utf8')).name, `${folder}/src/index.ts`]] : [];
  });
  return new Map(named);
};

const resolveIn = (paths, indexes, from, specifier) => {
  if (!specifier.startsWith('.')) return indexes.get(specifier);
  const base = path.posix.join(path.posix.dirname(from), specifier).replace(/\.jsx?$/, '');
  return [`${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find((candidate) => paths.has(candidate));
};

const graphOf = (root, files) => {
  const paths = new Set(files.map((file) => file.path));
  const indexes = indexByName(root, files);
  const targets = (file) => specifiersOf(file.text).map((specifier) => resolveIn(paths, indexes, file.path, specifier));
  return new Map(files.map((file) => [file.path, targets(file).filter((target) => target && paths.has(target))]));
};

/** Strongly connected components by Tarjan's algorithm; every edge is looked at once. */
const components = (graph) => {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const onStack = new Set();
  const found = [];
  const close = (node) => {
    const component = stack.splice(stack.lastIndexOf(node));
    for (const member of component) onStack.delete(member);
    found.push(component);
  };
  const lowThrough = (target) => {
    if (!order.has(target)) return visit(target);
    return onStack.has(target) ? order.get(target) : Infinity;
  };
  const visit = (node) => {
    order.set(node, order.size);
    low.set(node, order.get(node));
    stack.push(node);
    onStack.add(node);
    for (const target of graph.get(node)) low.set(node, Math.min(low.get(node), lowThrough(target)));
    if (low.get(node) === order.get(node)) close(node);
    return low.get(node);
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
};

/**
 * @returns {string[][]} the paths of each group of files that reach one another, or a file that imports itself
 */
export const importCycles = (root, files) => {
  const graph = graphOf(root, files);
  return components(graph).filter((members) => members.length > 1 || graph.get(members[0]).includes(members[0]));
};
