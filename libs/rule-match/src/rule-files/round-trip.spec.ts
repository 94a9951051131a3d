import fc from 'fast-check';
import { compileRules, readRuleFiles, validateTriggers, writeRuleFiles } from '../index.js';
import type { Rule, Severity, Triggers } from '../index.js';
import { globs, paths } from '../testing/rule-arbitraries.js';

const words = fc.constantFrom(
  'Use',
  'small',
  'functions.',
  '`any`',
  '- item',
  '## Part',
  '---',
  '# One',
  "it's",
  'a: b',
  '<!-- x -->',
  '𝒳',
);
const lines = fc.array(words, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
const bodies = fc.array(lines, { minLength: 1, maxLength: 4 }).map((list) => list.join('\n\n'));
const titles = fc
  .array(
    fc.constantFrom('Commits', 'C#', '#', '"quoted"', "it's", 'a: b', '- x', '[y]', 'été', '*', '>', '|', 'true'),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) => list.join(' '));

const pathLists = fc.uniqueArray(
  fc.oneof(
    globs,
    globs.map((glob) => `!${glob}`),
    fc.constantFrom('a\\,b', 'a,b', '\\!x', '/!x', 'app/\\[id\\]/**', 'c#/ #x', '"q"', "'s", '{a,b/c}.md'),
  ),
  { maxLength: 4 },
);
const others: fc.Arbitrary<Omit<Triggers, 'paths'>> = fc.oneof(
  fc.constant({}),
  fc.constant({ operations: ['deploy -->', 'x--y'], project_attributes: { tier: ['prod'] } }),
  fc.constant({ code_patterns: ['(?P<n>a)>b'], languages: ['ts'] }),
);

const rules: fc.Arbitrary<Rule[]> = fc
  .array(
    fc.record({
      title: titles,
      body_markdown: bodies,
      severity: fc.constantFrom<Severity>('info', 'warn', 'must'),
      scope: fc.oneof(
        fc.constant({ always: true, triggers: {} }),
        fc.tuple(pathLists, others).map(([list, more]) => ({
          always: false,
          triggers: list.length > 0 ? { paths: list, ...more } : more,
        })),
      ),
    }),
    { maxLength: 5 },
  )
  .map((list) => list.map(({ scope, ...rule }, index) => ({ id: `R${index}`, ...rule, ...scope })))
  .filter((list) => list.every(({ triggers }) => validateTriggers(triggers).length === 0));

/** What an import says of a rule, as far as the rule said it before. */
const told = ({
  title,
  body_markdown: body,
  always,
  severity,
}: Omit<Rule, 'id' | 'triggers' | 'severity'> & { severity?: Severity }) => ({
  title,
  body,
  always,
  severity: severity ?? 'info',
});

const withoutPaths = ({ paths: _, ...rest }: Triggers): Triggers => rest;

const isSilent = ({ always, triggers }: Rule): boolean => !always && Object.keys(triggers).length === 0;

describe.each(['cursor', 'claude'] as const)('R4: export to %s and back', (format) => {
  const roundTrip = (list: readonly Rule[]) => {
    const { files } = writeRuleFiles(list, format);
    const { rules: read, rejected } = readRuleFiles(files);
    expect(rejected).toEqual([]);
    return read;
  };

  it('R4: gives the same rules, and globs that mean the same', () => {
    fc.assert(
      fc.property(rules, fc.array(paths, { minLength: 5, maxLength: 5 }), (list, places) => {
        const kept = format === 'claude' ? list.filter((rule) => !isSilent(rule)) : list;
        const read = roundTrip(list);
        expect(read.map(told)).toEqual(kept.map(told));
        expect(read.map(({ triggers }) => withoutPaths(triggers))).toEqual(
          kept.map(({ triggers }) => withoutPaths(triggers)),
        );
        for (const [index, { triggers }] of kept.entries()) {
          const matches = ({ paths: globList }: Triggers): boolean[] => {
            const matcher = compileRules([{ id: 'r', triggers: { paths: globList } }]);
            return places.map((place) => matcher.match({ file_paths: [place] }).matches.length > 0);
          };
          expect(matches(read[index]?.triggers ?? {})).toEqual(matches(triggers));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('R4: a second export writes the same files', () => {
    fc.assert(
      fc.property(rules, (list) => {
        const stored = (read: ReturnType<typeof roundTrip>): Rule[] =>
          read.map((each, index) => ({ severity: 'info', ...each, id: `R${index}` }));
        const again = stored(roundTrip(list)).filter((each) => !isSilent(each));
        const renumbered = again.map((each, index) => ({ ...each, id: `R${index}` }));
        const exported = writeRuleFiles(renumbered, format).files;
        expect(writeRuleFiles(stored(readRuleFiles(exported).rules), format).files).toEqual(exported);
      }),
      { numRuns: 100 },
    );
  });
});

const rule = (triggers: Triggers, more: Partial<Rule> = {}): Rule => ({
  id: '01K5ZQ8W3M9X7B2C4D6E8F0G1H',
  title: 'Wrap errors',
  body_markdown: 'With a cause.',
  triggers,
  always: false,
  severity: 'info',
  ...more,
});

describe('R4: exported files', () => {
  it('R4: are what the editors write', () => {
    const list = [rule({ paths: ['**/*.{ts,tsx}', '/README.md', 'docs/', '!x.md'] })];
    expect(writeRuleFiles(list, 'cursor')).toEqual({
      files: [
        {
          path: '.cursor/rules/wrap-errors.mdc',
          content:
            '---\ndescription: Wrap errors\nglobs: **/*.{ts,tsx},/README.md,docs/,!x.md\nalwaysApply: false\n---\n\nWith a cause.\n',
        },
      ],
      warnings: [],
    });
    expect(writeRuleFiles(list, 'claude').files).toEqual([
      {
        path: '.claude/rules/wrap-errors.md',
        content:
          '---\npaths:\n  - "**/*.{ts,tsx}"\n  - "README.md"\n  - "**/docs/**"\n  - "!**/x.md"\n---\n\n# Wrap errors\n\nWith a cause.\n',
      },
    ]);
    expect(writeRuleFiles([rule({}, { always: true })], 'claude').files[0]?.content).toBe(
      '# Wrap errors\n\nWith a cause.\n',
    );
  });

  it('R4: have names of their own', () => {
    const list = [rule({ paths: ['a'] }), rule({ paths: ['b'] }), rule({ paths: ['c'] }, { title: '错误' })];
    expect(writeRuleFiles(list, 'cursor').files.map(({ path }) => path)).toEqual([
      '.cursor/rules/wrap-errors.mdc',
      '.cursor/rules/wrap-errors-2.mdc',
      '.cursor/rules/01k5zq8w3m9x7b2c4d6e8f0g1h.mdc',
    ]);
  });

  it('R4: a rule that the tool would apply otherwise is named', () => {
    const narrower = rule({ paths: ['a'], operations: ['deploy'] });
    const pathless = rule({ operations: ['deploy'], languages: [] });
    const warningsOf = (list: Rule[], format: 'cursor' | 'claude') =>
      writeRuleFiles(list, format).warnings.map(({ message }) => message);
    expect(warningsOf([narrower], 'cursor')).toEqual(['cursor does not know operations']);
    expect(warningsOf([pathless], 'claude')).toEqual(['claude does not know operations and loads the rule always']);
    expect(warningsOf([rule({})], 'claude')).toEqual([expect.stringContaining('left out')]);
    expect(warningsOf([rule({}), rule({}, { always: true })], 'cursor')).toEqual([]);
    expect(writeRuleFiles([rule({})], 'claude').files).toEqual([]);
  });

  it('R4: the comment with what the tool does not know ends where it should', () => {
    const [file] = writeRuleFiles([rule({ operations: ['<!-- a --> b'] }, { severity: 'must' })], 'cursor').files;
    expect(file?.content.split('\n').at(-2)).toBe(
      '<!-- perdure {"severity":"must","triggers":{"operations":["\\u003c!\\u002d\\u002d a \\u002d\\u002d\\u003e b"]}} -->',
    );
  });

  it.each([
    ['{"severity":"loud"}', 'one of info, warn, must'],
    ['{"severity":"must"', 'no JSON object'],
    ['[1]', ''],
    ['{"title":"x"}', 'knows no title'],
    ['{"triggers":{"paths":["a"]}}', 'frontmatter'],
    ['{"triggers":{"code_patterns":["(?=x)"]}}', 'RE2'],
  ])('R4: a comment that was changed to %s is rejected with its line, or is text', (json, message) => {
    const content = `---\nglobs: a\n---\nText.\n\n<!-- perdure ${json} -->\n`;
    const { rules: read, rejected } = readRuleFiles([{ path: '.cursor/rules/x.mdc', content }]);
    // What does not look like the comment stays in the text, where it is seen.
    if (read.length > 0) expect(read[0]?.body_markdown).toContain(json);
    else expect(rejected).toEqual([expect.objectContaining({ line: 6, message: expect.stringContaining(message) })]);
  });

  it('R4: a comment with triggers contradicts alwaysApply', () => {
    const content = '---\nalwaysApply: true\n---\nText.\n<!-- perdure {"triggers":{"operations":["x"]}} -->';
    expect(readRuleFiles([{ path: '.cursor/rules/x.mdc', content }]).rejected).toHaveLength(1);
  });
});
