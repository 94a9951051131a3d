import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from '@swc/core';
import fc from 'fast-check';
import { toHex } from './bytes.js';
import { sha256 } from './sha256-node.js';
import { runEsm } from './testing/esm-process.js';

const PACKAGE = path.join(__dirname, '..');

/** All modules a browser would load from `entry` on: relative ones followed, packages named. */
function browserModules(entry: string, sha256Target: string): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (graph.has(file)) continue;
    const source = readFileSync(file, 'utf8');
    const specifiers = [...source.matchAll(/(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
      ([, name = '']) => name,
    );
    graph.set(file, specifiers);
    for (const specifier of specifiers) {
      if (specifier === '#sha256') waiting.push(path.join(PACKAGE, sha256Target));
      if (specifier.startsWith('.')) waiting.push(path.join(path.dirname(file), specifier.replace(/\.js$/, '.ts')));
    }
  }
  return graph;
}

function sha256Import(): Record<string, string | Record<string, string>> {
  // JSON.parse gives no type; the test fails by itself should the manifest not have this shape.
  const manifest = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8')) as {
    imports: { '#sha256': Record<string, string | Record<string, string>> };
  };
  return manifest.imports['#sha256'];
}

describe('SHA-256', () => {
  it('A3: is SHA-256 (FIPS 180-4, the empty message and "abc")', () => {
    expect(toHex(sha256(new Uint8Array()))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(toHex(sha256(Buffer.from('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('A3: gives the same under Node and in a browser', () => {
    const messages = [...fc.sample(fc.uint8Array({ maxLength: 300 }), 500), new Uint8Array(70_000).fill(7)];
    const source = readFileSync(path.join(__dirname, 'sha256-noble.ts'), 'utf8');
    const noble = transformSync(source, { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'es6' } }).code;
    const code = `${noble}
      for (const line of lines) say(Buffer.from(sha256(Uint8Array.from(Buffer.from(line, 'hex')))).toString('hex'));`;
    expect(runEsm(code, messages.map(toHex))).toEqual(messages.map((message) => toHex(sha256(message))));
  });

  it('A3: answers with a plain Uint8Array under Node too', () => {
    expect(sha256(new Uint8Array()).constructor).toBe(Uint8Array);
  });

  it('A4: a browser loads nothing of Node', () => {
    const target = sha256Import()['@perdure/source'];
    const graph = browserModules(path.join(__dirname, 'index.ts'), String(target));
    const packages = [...graph.values()].flat().filter((name) => !name.startsWith('.') && !name.startsWith('#'));
    expect([...new Set(packages)]).toEqual(['@noble/hashes/sha2.js']);
    expect([...graph.keys()].map((file) => path.basename(file))).toEqual(
      expect.arrayContaining(['index.ts', 'sha256-noble.ts', 'chain-verifier.ts', 'canonical-form.ts']),
    );
    expect(graph.has(path.join(__dirname, 'sha256-node.ts'))).toBe(false);
  });

  it('A4: source and build of #sha256 name the same two files', () => {
    const { node, ...browser } = sha256Import();
    expect(node).toEqual({ '@perdure/source': './src/sha256-node.ts', default: './dist/sha256-node.js' });
    expect(browser).toEqual({ '@perdure/source': './src/sha256-noble.ts', default: './dist/sha256-noble.js' });
    for (const name of ['sha256-node.ts', 'sha256-noble.ts']) expect(existsSync(path.join(__dirname, name))).toBe(true);
  });
});
