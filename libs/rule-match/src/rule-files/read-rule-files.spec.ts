import { readRuleFiles } from '../index.js';

const CURSOR = '.cursor/rules/x.mdc';
const CLAUDE = '.claude/rules/x.md';
const COPILOT = '.github/instructions/x.instructions.md';

const read = (path: string, ...lines: string[]) => readRuleFiles([{ path, content: lines.join('\n') }]);

const ruleOf = (path: string, ...lines: string[]) => {
  const { rules, rejected } = read(path, ...lines);
  expect(rejected).toEqual([]);
  expect(rules).toHaveLength(1);
  return rules[0];
};

const globsOf = (...lines: string[]): readonly string[] | undefined =>
  ruleOf(CURSOR, '---', ...lines, '---', 'Text.')?.triggers.paths;

const rejectionOf = (path: string, ...lines: string[]) => {
  const { rules, rejected } = read(path, ...lines);
  expect(rules).toEqual([]);
  return rejected[0];
};

describe('R4: frontmatter', () => {
  it.each([
    ['comment', ['globs: src/** # all of it'], ['src/**']],
    ['number sign in a name', ['globs: src/c#/**'], ['src/c#/**']],
    ['single quotes', ["globs: 'it''s/**'"], ["it's/**"]],
    ['escapes', ['globs: "app/\\\\[id\\\\]/\\u00e9/**"'], ['app/\\[id\\]/é/**']],
    ['an unquoted class', ['globs: [ab]/x.ts'], ['[ab]/x.ts']],
    ['a brace first', ['globs: {a,b}/x.ts'], ['{a,b}/x.ts']],
    ['an exclusion', ['globs: src/**, !src/gen/**'], ['src/**', '!src/gen/**']],
    ['an apostrophe first', ["globs: x,'s"], ['x', "'s"]],
    ['a class with a comma', ['globs: v[1,2]/x, y'], ['v[1,2]/x', 'y']],
    ['an escaped comma', ['globs: a\\,b, c'], ['a\\,b', 'c']],
    ['a list over lines', ['globs: [', '  "a,b"', '  , c.{d,e},', ']'], ['a', 'b', 'c.{d,e}']],
    ['a list at the margin', ['globs:', '- a', '', '# note', '- "b" # note'], ['a', 'b']],
    ['commas in items', ['globs:', '  - a, b'], ['a', 'b']],
    ['no repeats', ['globs: a, a'], ['a']],
    ['blanks behind', ['globs: src/**   '], ['src/**']],
  ])('R4: globs with %s', (_, lines, globs) => {
    expect(globsOf(...lines)).toEqual(globs);
  });

  it.each([
    ['text behind quotes', 2, ['globs: "a", "b"'], 'behind the closing "'],
    ['an open quote', 2, ['globs: "a'], 'no closing "'],
    ['an escape YAML lacks', 2, ['globs: "src\\**"'], '\\* is no escape'],
    ['no blank behind the colon', 2, ['globs:src/**'], 'no field'],
    ['a lone word', 3, ['description: x', 'globs'], 'no field'],
    ['an indented field', 3, ['description: x', '  globs: a'], 'continues a value'],
    ['an indented first field', 2, ['  globs: a'], 'no field'],
    ['a value over lines', 3, ['description: x', '  y'], 'continues a value'],
    ['text for a list', 3, ['globs:', '  src/**'], 'no item'],
    ['an item without text', 3, ['globs:', '  -'], 'no item'],
    ['a list that stays open', 2, ['globs: [a,', '  b'], 'never closed'],
    ['a tab before a key', 2, ['\tglobs: a'], 'tab'],
    ['a mark that is no boolean', 2, ['alwaysApply: yes'], 'true or false'],
    ['a faulty glob', 4, ['globs:', '  - a', '  - src/{b'], 'not closed'],
    ['exclusions alone', 2, ['globs: "!a"'], 'only excludes'],
    ['a Windows path', 2, ['globs: src\\**\\*.ts'], 'src/**/*.ts'],
  ])('R4: %s is rejected on line %i', (_, line, lines, message) => {
    const rejection = rejectionOf(CURSOR, '---', ...lines, '---', 'Text.');
    expect(rejection).toEqual({
      path: CURSOR,
      line,
      code: expect.stringMatching(/^invalid_/),
      message: expect.stringContaining(message),
    });
  });

  it('R4: a glob has its own code', () => {
    expect(rejectionOf(CURSOR, '---', 'globs: "["', '---', 'x')?.code).toBe('invalid_glob');
    expect(rejectionOf(CURSOR, '---', 'glob: a', '---', 'x')?.code).toBe('invalid_input');
  });

  it('R4: a folded description becomes one line', () => {
    const rule = ruleOf(
      CURSOR,
      '---',
      'description: >-',
      '  How we',
      '',
      '  release',
      'alwaysApply: true',
      '---',
      'Text.',
    );
    expect(rule).toMatchObject({ title: 'How we release', always: true, line: 8 });
  });
});

describe('R4: fields of the formats', () => {
  it.each([
    [CLAUDE, 'globs: a', 'this format says paths'],
    [CLAUDE, 'applyTo: a', 'this format says paths'],
    [CURSOR, 'paths: a', 'this format says globs'],
    [COPILOT, 'aplyTo: a', 'this format says applyTo'],
    [COPILOT, 'mode: agent', 'this format knows applyTo, description, name, excludeAgent'],
  ])('R4: %s with %s', (path, field, hint) => {
    expect(rejectionOf(path, '---', field, '---', 'Text.')?.message).toContain(hint);
  });

  it('R4: Claude and Copilot read a glob without a slash at the root, Cursor at any depth', () => {
    const globs = '*.md, docs/, a/*.md, **, !x.md, {a,b/c}.md';
    const rooted = ['/*.md', '/docs/', 'a/*.md', '**', '!/x.md', '/{a,b/c}.md'];
    expect(ruleOf(CLAUDE, '---', `paths: ${globs}`, '---', 'Text.')?.triggers.paths).toEqual(rooted);
    expect(ruleOf(COPILOT, '---', `applyTo: ${globs}`, '---', 'Text.')?.triggers.paths).toEqual(rooted);
    expect(globsOf(`globs: ${globs}`)).toEqual(globs.split(', '));
  });

  it('R4: what has no counterpart is a warning with its line', () => {
    expect(read(COPILOT, '---', 'applyTo: a', 'excludeAgent: code-review', '---', 'Text.').warnings).toEqual([
      { path: COPILOT, line: 3, message: expect.stringContaining('excludeAgent') },
    ]);
    expect(read(CURSOR, '---', 'globs: src/@(a|b)/**', '---', 'Text.').warnings).toEqual([
      { path: CURSOR, line: 2, message: expect.stringContaining('extglob') },
    ]);
  });

  it('R4: a title is the description, else the first heading, else the name of the file', () => {
    expect(ruleOf(COPILOT, '---', 'name: N', 'description: D', 'applyTo: a', '---', '# H', 'Text.')?.title).toBe('N');
    expect(ruleOf(CURSOR, '---', 'globs: a', '---', '', '# Heading #', '', 'Text.')).toMatchObject({
      title: 'Heading',
      body_markdown: '# Heading #\n\nText.',
      line: 5,
    });
    expect(ruleOf(CLAUDE, '# Heading', '', 'Text.')).toMatchObject({ title: 'Heading', body_markdown: 'Text.' });
    expect(ruleOf(CLAUDE, 'Text.', '# Later')).toMatchObject({ title: 'x', body_markdown: 'Text.\n# Later' });
  });

  it('R4: a long title is cut with a warning, a long text is rejected', () => {
    const { rules, warnings } = read(CURSOR, '---', `description: ${'é'.repeat(300)}`, 'globs: a', '---', 'Text.');
    expect(rules[0]?.title).toBe(`${'é'.repeat(199)}…`);
    expect(warnings).toHaveLength(1);
    expect(rejectionOf(CLAUDE, 'a'.repeat(32_001))?.message).toContain('32000');
  });
});

describe('R4: places', () => {
  it.each([
    [
      'packages/api/.cursor/rules/deep/x.mdc',
      'globs',
      ['packages/api/**/*.ts', 'packages/api/src/**', '!packages/api/gen/**'],
    ],
    ['packages/api/.claude/rules/x.md', 'paths', ['packages/api/*.ts', 'packages/api/src/**', '!packages/api/gen/**']],
  ])('R4: %s holds for its directory', (path, field, globs) => {
    expect(ruleOf(path, '---', `${field}: "*.ts, /src/**, !gen/**"`, '---', 'Text.')?.triggers.paths).toEqual(globs);
  });

  it.each([
    ['app/[id]/AGENTS.md', ['app/\\[id\\]/**']],
    ['a/.claude/CLAUDE.md', ['a/**']],
    ['a/.claude/rules/x.md', ['a/**']],
    ['.claude/CLAUDE.md', undefined],
    ['.\\CLAUDE.md', undefined],
  ])('R4: text without globs in %s', (path, globs) => {
    expect(ruleOf(path, 'Text.')).toMatchObject({
      triggers: globs ? { paths: globs } : {},
      always: globs === undefined,
    });
  });

  it.each([
    'README.md',
    '.cursor/rules/x.md',
    'a/.github/instructions/x.instructions.md',
    '/x/AGENTS.md',
    '../AGENTS.md',
    'agents.md',
  ])('R4: %s is no rule file', (path) => {
    expect(rejectionOf(path, 'Text.')).toEqual({
      path,
      line: 1,
      code: 'invalid_input',
      message: expect.stringContaining('.cursor/rules/*.mdc'),
    });
  });

  it('R4: a path that is given twice is rejected the second time, the other files are read', () => {
    const files = ['AGENTS.md', 'AGENTS.md', 'x', CLAUDE].map((path) => ({ path, content: 'Text.' }));
    const { rules, rejected } = readRuleFiles(files);
    expect(rules.map(({ path }) => path)).toEqual(['AGENTS.md', CLAUDE]);
    expect(rejected.map(({ path }) => path)).toEqual(['AGENTS.md', 'x']);
  });
});

describe('R4: sections', () => {
  it('R4: each is a rule, also the text before them; deeper headings and fenced ones are text', () => {
    const { rules, warnings } = read(
      'AGENTS.md',
      ...[
        'Intro.',
        '',
        '# Build',
        'Run it.',
        '### Deep',
        '~~~',
        '# no',
        '```',
        '# no',
        '~~~',
        '## Empty',
        '',
        '## Last ##',
        '',
        'End.',
        '',
      ],
    );
    expect(rules.map(({ title, line, body_markdown: body }) => [title, line, body])).toEqual([
      ['AGENTS', 1, 'Intro.'],
      ['Build', 3, 'Run it.\n### Deep\n~~~\n# no\n```\n# no\n~~~'],
      ['Last', 13, 'End.'],
    ]);
    expect(warnings).toEqual([{ path: 'AGENTS.md', line: 11, message: expect.stringContaining('Empty') }]);
  });

  it('R4: an include of CLAUDE.md is named, not followed', () => {
    expect(read('CLAUDE.md', '@AGENTS.md', '').warnings).toEqual([
      { path: 'CLAUDE.md', line: 1, message: '@AGENTS.md is not followed: import that file too' },
    ]);
    expect(read('CLAUDE.md', '@AGENTS.md').rejected).toEqual([]);
    expect(read('CLAUDE.md', '## A', '@x.md', 'Text.').rules[0]?.body_markdown).toBe('Text.');
    expect(read('AGENTS.md', '@team').rules[0]?.body_markdown).toBe('@team');
  });

  it('R4: headings alone are no rules', () => {
    expect(rejectionOf('AGENTS.md', '# A', '## B')).toMatchObject({
      line: 1,
      message: expect.stringContaining('no text'),
    });
  });
});

describe('R4: damaged files', () => {
  it.each<[string, number, string | Uint8Array, string]>([
    ['bytes that are not UTF-8', 2, Uint8Array.from([0x61, 0x0a, 0xff, 0x0a]), 'UTF-8'],
    ['UTF-16', 1, Uint8Array.from([0xff, 0xfe, 0x61, 0x00]), 'UTF-8'],
    ['text that was decoded wrongly', 2, 'a\ncaf\ufffd', 'UTF-8'],
    ['a lone surrogate', 1, 'a\ud800', 'UTF-8'],
    ['U+0000', 3, 'a\r\nb\r\n\0', 'U+0000'],
    ['a merge conflict in the text', 2, 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x', 'merge conflict'],
    ['blank text', 1, ' \n\t\n', 'no text'],
    ['invisible text', 1, '\u200b', 'no text'],
    ['an empty text behind fields', 3, '---\npaths: a\n---\n\n', 'no text'],
    ['only a heading', 1, '# Title\n', 'no text'],
    ['fields that stay open', 1, '---\npaths: a\n', 'never closed'],
  ])('R4: %s', (_, line, content, message) => {
    const { rules, rejected } = readRuleFiles([{ path: CLAUDE, content }]);
    expect(rules).toEqual([]);
    expect(rejected).toEqual([
      { path: CLAUDE, line, code: 'invalid_input', message: expect.stringContaining(message) },
    ]);
  });

  it('R4: marks of a conflict in a code block are text', () => {
    expect(ruleOf(CLAUDE, 'Resolve:', '```', '<<<<<<< HEAD', '```')?.body_markdown).toContain('<<<<<<<');
  });

  it('R4: a byte order mark and any line ends are no part of the text', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const content = new TextEncoder().encode(['\ufeff---', 'paths: src/**', '---', '', 'One.', 'Two.', ''].join(end));
      expect(readRuleFiles([{ path: CLAUDE, content }]).rules[0]).toMatchObject({
        triggers: { paths: ['src/**'] },
        body_markdown: 'One.\nTwo.',
        line: 5,
      });
    }
  });
});
