// `npm run reference`: writes docs/reference from the catalogue. With `--check` it writes nothing and fails when a file
// is missing, stale or left over. Runs on the TypeScript sources (jest.source-hook.cjs), so nothing must be built before.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { referenceFiles } from './reference/markdown.mjs';

const FOLDER = path.resolve(import.meta.dirname, '..', 'docs', 'reference');

// The packages stand in no dependency list of the root: their sources are read where they are.
const load = createRequire(import.meta.url);
const { describeCatalogue, describeTool } = load('../libs/rest/src/index.ts');
const { ownTools } = load('../libs/mcp/src/index.ts');

const wanted = referenceFiles(describe());

mkdirSync(FOLDER, { recursive: true });
const present = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(path.join(FOLDER, name), 'utf8')]));
const stale = [...wanted].filter(([name, text]) => present.get(name) !== text).map(([name]) => name);
const surplus = [...present.keys()].filter((name) => !wanted.has(name));

if (process.argv.includes('--check')) {
  for (const name of stale) console.log(`docs/reference/${name}:1  is not what the catalogue says: npm run reference`);
  for (const name of surplus)
    console.log(`docs/reference/${name}:1  is of nothing in the catalogue: npm run reference`);
  process.exitCode = stale.length + surplus.length === 0 ? 0 : 1;
} else {
  for (const name of stale) writeFileSync(path.join(FOLDER, name), wanted.get(name));
  for (const name of surplus) rmSync(path.join(FOLDER, name));
  console.log(`docs/reference: ${wanted.size} files, ${stale.length} written, ${surplus.length} removed.`);
}

/** An operation without an example has no place in a reference: said without a stack, which would be of the hook. */
function describe() {
  try {
    const tools = ownTools.map(({ contract, example }) => ({ ...describeTool(contract), example }));
    return { ...describeCatalogue(), tools };
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
