// Times the secret detector on clean markdown and on texts made to be slow: `node libs/guard/scripts/timings.mjs`.
// Prints milliseconds of processor time, which a busy machine does not stretch: the first call (expressions are compiled
// when first needed), the median and the slowest of 50.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const require = createRequire(import.meta.url);
require(path.join(ROOT, 'jest.source-hook.cjs'));
const { detectSecret } = require('../src/index.ts');
const { TOKEN_FORMATS } = require('../src/secrets/token-formats.ts');

const KIB = 1024;
const ROUNDS = 50;
const filled = (piece, length = 32 * KIB) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

const readme = readFileSync(path.join(ROOT, 'node_modules/ioredis/README.md'), 'utf8');
const prefixes = [...new Set(TOKEN_FORMATS.flatMap((format) => format.prefixes))];

const TEXTS = {
  '8 KiB of a README': readme.slice(0, 8 * KIB),
  '32 KiB of a README': readme.slice(0, 32 * KIB),
  'every prefix in a row': filled(`${prefixes.join(' ')} `),
  'password= in a row': filled('password='),
  'password: "…" in a row': filled('password: "placeholder" '),
  'secret with a reference': filled('secret_key="${SECRET}" '),
  'named values that are none': filled("secret='aB3aB3aB3aB3xxxxaB3' "),
  'addresses with a placeholder': filled('http://user:password@host '),
  'bearer in a row': filled('bearer '),
  'basic credentials': filled('authorization: basic YTpi '),
  'curl in a row': filled('curl -x '),
  'JWT beginnings': filled(' eyJ'),
  'JWT without a signature': filled('.eyJaaaaaaaaaaa'),
  'sk- in a row': filled('-sk-'),
  'glpat- in a row': filled('-glpat-'),
  'glpat- with a masked body': filled('-glpat-aB3dE5gH7jK9mN1pxxxx'),
  'three parts with dots': filled('aB3dE5gH7jK9mN1pQ2rS4tU6.'),
  'PEM headers': filled('-----BEGIN RSA PRIVATE KEY-----\nabc\n'),
};

function timeOf(text) {
  const begun = process.cpuUsage();
  const found = detectSecret(text);
  const { user, system } = process.cpuUsage(begun);
  return { found, milliseconds: (user + system) / 1e3 };
}

for (const [label, text] of Object.entries(TEXTS)) {
  const first = timeOf(text);
  const times = Array.from({ length: ROUNDS }, () => timeOf(text).milliseconds).sort((a, b) => a - b);
  const figures = [first.milliseconds, times[ROUNDS / 2], times.at(-1)].map((value) => value.toFixed(2).padStart(8));
  console.log(`${label.padEnd(32)}${figures.join('')}  ${first.found?.kind ?? ''}`);
}
