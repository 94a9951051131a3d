import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { diceOf } from '../testing/made-tokens.js';
import { LOOK_ALIKES, SECRET_CASES, secretOf, type SecretCase } from '../testing/secret-cases.js';
import { detectSecret } from './detect-secret.js';

const SCRIPT = path.resolve(__dirname, '../../scripts/secretlint-findings.mjs');

/** What secretlint's recommended preset says of each text. */
function secretlintFindings(texts: readonly string[]): boolean[] {
  const output = execFileSync(process.execPath, [SCRIPT], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // The script prints one boolean for each text.
  return JSON.parse(output) as boolean[];
}

/** Another value of the same form: letters and digits of the second half change for others of their kind. */
function varied(one: SecretCase, seed: number): string {
  const dice = diceOf(seed);
  const secret = secretOf(one);
  const half = Math.ceil(secret.length / 2);
  // Hexadecimal stays hexadecimal: letters change among the first six.
  const tail = secret
    .slice(half)
    .replace(/[0-9]/g, () => String(dice(10)))
    .replace(/[a-f]/g, () => 'abcdef'[dice(6)] ?? 'a')
    .replace(/[A-F]/g, () => 'ABCDEF'[dice(6)] ?? 'A');
  return one.before + secret.slice(0, half) + tail + one.after;
}

/** Their checksum is part of the form here, and no part of it there. */
const WITHOUT_CHECKSUM = SECRET_CASES.filter(({ id }) => !/^github-(?:pat|oauth|app|refresh)/.test(id));

describe('beside secretlint', () => {
  it('L4: finds whatever its recommended preset finds, in the cases and in variations of them', () => {
    const texts = [
      ...SECRET_CASES.map((one) => one.before + secretOf(one) + one.after),
      ...WITHOUT_CHECKSUM.flatMap((one, row) => [0, 1, 2].map((turn) => varied(one, row * 3 + turn))),
    ];
    const findings = secretlintFindings(texts);
    const missed = texts.filter((text, index) => findings[index] && detectSecret(text) === null);
    expect(findings.filter(Boolean).length).toBeGreaterThan(80);
    expect(missed).toEqual([]);
  });

  it('L4: the look-alikes hold nothing that it takes for a secret but a placeholder in angle brackets', () => {
    const findings = secretlintFindings(LOOK_ALIKES.map(({ text }) => text));
    expect(LOOK_ALIKES.filter((_one, index) => findings[index]).map(({ id }) => id)).toEqual(['ph-pg-angle']);
  });
});
