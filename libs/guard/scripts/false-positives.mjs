// Runs the secret detector over every real text that an installed tree holds: READMEs, change logs, type declarations,
// sources. Nobody's credentials are in there, so whatever it finds is either a false alarm or a documented example.
// `node libs/guard/scripts/false-positives.mjs [--list]`: prints the rate and the time by kind of text; --list names the
// files, with the kind and place of what was found, never the value.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const LONGEST = 256 * 1024; // the limit of a request's body
const KINDS = [
  { name: 'markdown', matches: (file) => file.endsWith('.md'), every: 1 },
  { name: 'declarations', matches: (file) => /\.d\.[cm]?ts$/.test(file), every: 2 },
  { name: 'typescript', matches: (file) => /\.[cm]?tsx?$/.test(file), every: 1 },
  { name: 'javascript', matches: (file) => /\.[cm]?js$/.test(file), every: 4 },
  { name: 'configuration', matches: (file) => /\.(ya?ml|toml)$/.test(file), every: 1 },
];

/** Sources through the loader that the tests use: no build is needed. */
function loadDetector() {
  const require = createRequire(import.meta.url);
  require(path.join(ROOT, 'jest.source-hook.cjs'));
  return require('../src/index.ts').detectSecret;
}

/** Links are left out: workspaces are linked into node_modules and would count twice. */
function* filesUnder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['.git', '.nx', '.perdure', 'dist', 'cases'].includes(entry.name) && !folder.includes('node_modules')) continue;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(file);
    else if (entry.isFile()) yield file;
  }
}

function judge(detectSecret, file) {
  const text = readFileSync(file, 'utf8').slice(0, LONGEST);
  const begun = process.hrtime.bigint();
  const found = detectSecret(text);
  return { found, characters: text.length, milliseconds: Number(process.hrtime.bigint() - begun) / 1e6 };
}

function main(list) {
  const detectSecret = loadDetector();
  const totals = new Map(
    KINDS.map(({ name }) => [name, { seen: 0, texts: 0, flagged: 0, characters: 0, milliseconds: 0 }]),
  );
  const contents = new Set();
  for (const file of filesUnder(ROOT)) {
    const kind = KINDS.find(({ matches }) => matches(file));
    if (kind === undefined || statSync(file).size < 16) continue;
    const total = totals.get(kind.name);
    total.seen += 1;
    if (total.seen % kind.every !== 0) continue;
    // One package in several versions brings the same text again.
    const identity = `${path.basename(file)} ${statSync(file).size}`;
    if (contents.has(identity)) continue;
    contents.add(identity);
    const { found, characters, milliseconds } = judge(detectSecret, file);
    total.texts += 1;
    total.characters += characters;
    total.milliseconds += milliseconds;
    if (found === null) continue;
    total.flagged += 1;
    if (list) console.log(`${path.relative(ROOT, file)}  ${found.kind} at ${found.offset}, ${found.length} long`);
  }
  report(totals);
}

function report(totals) {
  let texts = 0;
  let flagged = 0;
  for (const [name, total] of totals) {
    texts += total.texts;
    flagged += total.flagged;
    const perKilobyte = total.milliseconds / (total.characters / 1024);
    const size = `${Math.round(total.characters / 1024)} KiB`;
    console.log(`${name}: ${total.flagged} of ${total.texts} texts (${size}), ${perKilobyte.toFixed(3)} ms per KiB`);
  }
  console.log(`\n${flagged} of ${texts} texts flagged: ${((flagged / texts) * 1000).toFixed(2)} in 1,000`);
}

main(process.argv.includes('--list'));
