// The outside programs of `conformance/`: installed on demand, apart from our own packages, because they need a newer Node
// than we do.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm, ROOT, run } from './setup.mjs';
import { TerminalError } from './terminal-error.mjs';

const FOLDER = path.join(ROOT, 'conformance');
const LOCK = path.join(FOLDER, 'package-lock.json');
const MODULES = path.join(FOLDER, 'node_modules');
/** Holds the hash of the lock file that was installed. */
const MARKER = path.join(MODULES, '.perdure-lock');
/** What the inspector asks for; the suite takes any 22. */
const OLDEST_NODE = [22, 19];

/**
 * Installs them when they are missing or not those of the lock file.
 * @returns what e2e/src/testing/outside-tools.ts reads: paths of a Node, the suite and the inspector
 * @throws TerminalError that says what this machine lacks
 */
export async function conformanceTools() {
  const lockHash = createHash('sha256').update(readFileSync(LOCK)).digest('hex');
  const isInstalled = existsSync(MARKER) && readFileSync(MARKER, 'utf8') === lockHash;
  if (!isInstalled) {
    await install();
    writeFileSync(MARKER, lockHash);
  }
  const scope = path.join(MODULES, '@modelcontextprotocol');
  return {
    node: nodeForTools(),
    suite: path.join(scope, 'conformance'),
    inspector: path.join(scope, 'inspector', 'clients', 'launcher', 'build', 'index.js'),
  };
}

async function install() {
  console.log('Installing the conformance suite and the inspector (npm ci in conformance/): about half a minute.');
  // Nothing of theirs is built: their scripts are for a checkout of theirs.
  const [command, args, options] = npm(
    'ci',
    '--prefix',
    FOLDER,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  );
  const output = [];
  const code = await run(command, args, { ...options, output });
  if (code !== 0)
    throw new TerminalError(`${Buffer.concat(output).toString()}\nnpm ci in conformance/ failed; see above.`);
}

/** This Node when it is new enough, else the one that came as a package. */
function nodeForTools() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return process.execPath;
  const packaged = path.join(MODULES, `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(packaged)) return packaged;
  throw new TerminalError(
    `The suite and the inspector need Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}, and no npm ` +
      `package brings one for ${process.platform}-${process.arch}. Run \`npm run conformance\` with a newer Node.`,
  );
}
