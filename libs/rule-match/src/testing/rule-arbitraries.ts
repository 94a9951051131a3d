// Random rules and changes over a small vocabulary, so that they meet often. Globs hold no escapes: the reference reads none.
import fc from 'fast-check';
import type { Change, MatchableRule, Triggers } from '../rule.js';
import { REFERENCE_LANGUAGES } from './reference-matcher.js';

const names = fc.constantFrom('src', 'lib', 'a', 'ab', 'b', 'gen', '.github', '[id]', '{x}');
const fileNames = fc.constantFrom(
  'a.ts',
  'b.ts',
  'a.test.ts',
  'b.py',
  '.env',
  'Makefile',
  'x.d.ts',
  'ab.tsx',
  'a',
  '[id].ts',
);

/** Normalised paths of up to four segments. */
export const paths: fc.Arbitrary<string> = fc
  .tuple(fc.array(names, { maxLength: 3 }), fileNames)
  .map(([directories, file]) => [...directories, file].join('/'));

const namePatterns = fc.constantFrom(
  ...[
    '*',
    '?',
    'a*',
    '*b',
    '[ab]',
    '[!a]',
    '[a-c]b',
    'a**b',
    '***',
    '{a,b}',
    '{a,b{c,b}}',
    '{src,lib}',
    '{x}',
    '{a/b,src}',
  ],
);
const directoryPatterns = fc.oneof(names, namePatterns, fc.constant('**'), fc.constant('.'));
const lastPatterns = fc.oneof(
  fileNames,
  namePatterns,
  fc.constantFrom(
    '*.ts',
    '**',
    '*.{ts,py}',
    '?.ts',
    '*.test.ts',
    'a.*',
    '*.d.ts',
    '[ab].ts',
    '{a,b}.ts',
    '*a',
    '*t.ts',
    '',
  ),
);

/** Globs of the dialect, some anchored, some naming a directory, none excluding. */
export const globs: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('', '/', './'), fc.array(directoryPatterns, { maxLength: 3 }), lastPatterns)
  .map(([start, directories, last]) => start + [...directories, last].join('/'))
  .filter((glob) => /[^/.]/.test(glob));

const operations = fc.constantFrom('deploy', 'Migrate', 'git commit', 'test');
const attributeNames = fc.constantFrom('framework', 'tier', 'constructor');
const attributeValues = fc.constantFrom('next', 'vue', 'prod');
const some = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> => fc.uniqueArray(values, { maxLength: 3 });

const triggers: fc.Arbitrary<Triggers> = fc.record(
  {
    paths: some(fc.tuple(fc.constantFrom('', '', '', '!'), globs).map(([sign, glob]) => sign + glob)),
    operations: some(operations),
    languages: some(fc.constantFrom(...Object.keys(REFERENCE_LANGUAGES))),
    // Read alike by RE2 and by JavaScript.
    code_patterns: some(
      fc.constantFrom('eval\\(', 'run', '^import', '(?:let|var) x', 'a.b', 'x?y+z', '[a-c]{2}', 'import|eval'),
    ),
    project_attributes: fc.dictionary(attributeNames, some(attributeValues), { maxKeys: 2 }),
  },
  { requiredKeys: [] },
);

/** Up to twelve rules with ids by their place. */
export const ruleSets: fc.Arbitrary<MatchableRule[]> = fc
  .array(fc.record({ triggers, always: fc.constantFrom(false, false, false, false, false, false, false, true) }), {
    maxLength: 12,
  })
  .map((rules) => rules.map((rule, index) => ({ id: `rule-${index}`, ...rule })));

const attributes = fc.dictionary(attributeNames, attributeValues, { maxKeys: 2 });

export const changes: fc.Arbitrary<Change> = fc.record(
  {
    file_paths: some(paths),
    operations: some(fc.oneof(operations, fc.constantFrom('DEPLOY', 'migrate'))),
    languages: some(fc.constantFrom('TypeScript', 'tsx', 'py', 'go', 'klingon')),
    code: fc.constantFrom('', 'eval(x)', 'import y', '-let x\n+var x', 'a-b', 'yyz', 'run abc', 'x import'),
    project_attributes: attributes,
  },
  { requiredKeys: [] },
);

export const projectAttributes = attributes;
