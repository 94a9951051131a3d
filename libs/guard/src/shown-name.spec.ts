import { detectSecret } from './secrets/detect-secret.js';
import { checkText } from './text-gate.js';
import { shownName } from './shown-name.js';
import { SECRET_CASES, secretOf } from './testing/secret-cases.js';

describe('a name that a caller chose, as a refusal quotes it', () => {
  it.each(['titel', 'linked_issue_url', 'größe', 'a.b'])('%s as it is', (name) => {
    expect(shownName(name)).toBe(name);
  });

  it('cut at 80 characters, and well formed', () => {
    expect(shownName('x'.repeat(100))).toBe(`${'x'.repeat(79)}…`);
    expect(shownName('a\ud83d')).toBe('a\ufffd');
  });

  it.each(SECRET_CASES)('L4: without the secret of $id, wherever the cut falls', (one) => {
    for (const padding of [0, 30, 60, 70]) {
      const name = `${' '.repeat(padding)}${one.before}${secretOf(one)}${one.after}`;
      const { offset = 0 } = detectSecret(name) ?? {};
      const beginning = name.slice(offset, offset + 8);
      expect(shownName(name)).not.toContain(beginning);
      const [problem] = checkText({ [`${name}\u0000`]: 'x' });
      expect(problem?.path).not.toContain(beginning);
    }
  });
});
