// `node docker/assemble.mjs <folder>`: copies what the processes need at run time into a new folder, laid out as here:
// compiled applications, the libraries they name, and the packages those depend on. Tests, types and tools stay behind.
// `npm ci --omit=dev` would bring the local stack's 60 MB of Postgres: to npm every workspace is part of the product.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '..');
const OURS = '@perdure/';
const LEFT_OUT = /\.(?:d\.[cm]?ts|map|tsbuildinfo)$/;

/**
 * Applications that run as processes of an installation, by folder name; one with a `bin` is for people's machines.
 * @param entry the file by which an application is known, in its folder
 */
export const applications = (entry = 'dist/main.js') =>
  readdirSync(path.join(ROOT, 'apps')).filter((name) => {
    const folder = path.join(ROOT, 'apps', name);
    return existsSync(path.join(folder, entry)) && manifestOf(folder).bin === undefined;
  });

const manifestOf = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** Where Node would find a package from there, before links are followed; null when it is not installed. */
function locate(name, from) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
    if (folder === ROOT || folder === path.dirname(folder)) return null;
  }
}

/** Every folder of the closure: our own packages, installed ones, and the links between. */
function closure() {
  const found = new Set();
  const visit = (folder) => {
    const real = realpathSync(folder);
    found.add(folder);
    if (real !== folder && found.has(real)) return;
    found.add(real);
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(real);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const located = locate(name, real);
      if (located === null && name in optionalDependencies) continue;
      if (located === null) throw new Error(`${name}, which ${path.relative(ROOT, real)} needs, is not installed.`);
      if (!found.has(located)) visit(located);
    }
  };
  for (const name of applications()) visit(path.join(ROOT, 'apps', name));
  return [...found];
}

function copy(folder, target) {
  const to = path.join(target, path.relative(ROOT, folder));
  mkdirSync(path.dirname(to), { recursive: true });
  if (lstatSync(folder).isSymbolicLink()) {
    symlinkSync(path.relative(path.dirname(folder), realpathSync(folder)), to);
    return;
  }
  if (manifestOf(folder).name?.startsWith(OURS)) {
    if (!existsSync(path.join(folder, 'dist'))) throw new Error(`${path.relative(ROOT, folder)} is not built.`);
    mkdirSync(to, { recursive: true });
    cpSync(path.join(folder, 'package.json'), path.join(to, 'package.json'));
    cpSync(path.join(folder, 'dist'), path.join(to, 'dist'), {
      recursive: true,
      filter: (file) => !LEFT_OUT.test(file),
    });
    return;
  }
  // A nested node_modules holds packages that stand in the closure themselves, or that nobody needs.
  const nested = path.join(folder, 'node_modules');
  cpSync(folder, to, { recursive: true, filter: (file) => file !== nested && !LEFT_OUT.test(file) });
}

/** Fills `target`, a folder that does not exist yet or is empty. */
export function assemble(target) {
  for (const folder of closure().sort()) copy(folder, target);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = process.argv[2];
  if (!target) throw new Error('Usage: node docker/assemble.mjs <folder>');
  assemble(path.resolve(target));
}
