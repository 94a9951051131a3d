import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readRuleFiles } from '../index.js';
import type { ImportedRule, Triggers } from '../index.js';

interface ExpectedRule {
  triggers: Triggers;
  always: boolean;
  title?: string;
  body_contains?: string;
}

interface ImportCase {
  id: string;
  file: string;
  import_as: string;
  sha256: string;
  expect: {
    rule?: ExpectedRule;
    rules?: ExpectedRule[];
    rejected?: { line: number; names?: string };
    warning_names?: string;
  };
}

const FOLDER = path.join(__dirname, '../../../../cases/rules/import');
// The file's shape is described in cases/rules/README.md.
const cases = JSON.parse(readFileSync(path.join(FOLDER, 'expected.json'), 'utf8')) as ImportCase[];
const named = cases.map((one): [string, ImportCase] => [one.id, one]);
const bytesOf = ({ file }: ImportCase): Buffer => readFileSync(path.join(FOLDER, 'files', file));

const expectRule = (rule: ImportedRule | undefined, expected: ExpectedRule): void => {
  expect(rule?.triggers).toEqual(expected.triggers);
  expect(rule?.always).toBe(expected.always);
  expect(rule?.title).toEqual(expected.title ?? expect.stringMatching(/\S/));
  expect(rule?.body_markdown).toContain(expected.body_contains ?? '');
};

describe('R4: the import cases of the repository', () => {
  it('are all there', () => expect(cases.length).toBe(28));

  it.each(named)('R4: %s came through the checkout byte for byte', (_, one) => {
    expect(createHash('sha256').update(bytesOf(one)).digest('hex')).toBe(one.sha256);
  });

  it.each(named)('R4: %s', (_, one) => {
    const { rules, rejected, warnings } = readRuleFiles([{ path: one.import_as, content: bytesOf(one) }]);
    const { rule, rules: several, rejected: refusal, warning_names: warning } = one.expect;
    if (refusal) {
      expect(rules).toEqual([]);
      expect(rejected).toEqual([expect.objectContaining({ path: one.import_as, line: refusal.line })]);
      expect(rejected[0]?.message).toContain(refusal.names ?? '');
      return;
    }
    const expected = several ?? (rule ? [rule] : []);
    expect(rejected).toEqual([]);
    expect(rules).toHaveLength(expected.length);
    expected.forEach((each, index) => expectRule(rules[index], each));
    expect(warnings.map(({ message }) => message)).toEqual(warning ? [expect.stringContaining(warning)] : []);
  });
});
