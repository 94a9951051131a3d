// Checks the writer of the canonical form against the RFC 8785 vectors of github.com/cyberphone/json-canonicalization
// (testdata): a folder with jcs/input/*.json and jcs/output/*.json, given as argument or in PERDURE_AUDIT_VECTORS.
// The vectors hold fractions, which the gate refuses, so the layer below the gate is checked. Needs `npm run build` before.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import canonicalize from 'canonicalize';
import { jcsText } from '../dist/canonical-form.js';

const folder = process.argv[2] ?? process.env.PERDURE_AUDIT_VECTORS;
if (!folder) {
  console.error('usage: node scripts/check-vectors.mjs FOLDER   (or set PERDURE_AUDIT_VECTORS)');
  process.exit(2);
}

const read = (kind, name) => readFileSync(path.join(folder, 'jcs', kind, name), 'utf8');
const names = readdirSync(path.join(folder, 'jcs', 'input')).filter((name) => name.endsWith('.json'));
const failed = names.filter((name) => {
  const value = JSON.parse(read('input', name));
  // The output files hold the canonical text alone; an editor's last newline is no part of it.
  const expected = read('output', name).replace(/\n$/, '');
  const ok = jcsText(value) === expected && canonicalize(value) === expected;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}`);
  return !ok;
});
console.log(`${names.length - failed.length} of ${names.length} pairs`);
if (names.length === 0 || failed.length > 0) process.exit(1);
