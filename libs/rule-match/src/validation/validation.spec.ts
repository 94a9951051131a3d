import { describeProblem, validateChange, validateTriggers } from '../index.js';
import { nearestName } from './nearest-name.js';

const problemsOf = (triggers: unknown, always?: boolean): string[] =>
  validateTriggers(triggers, always).map((problem) => `${problem.code} ${describeProblem(problem)}`);

const changeProblems = (change: unknown): string[] => validateChange(change).map(describeProblem);

describe('R2: triggers of a rule', () => {
  it('R2: sound ones have no problem, absent and empty dimensions included', () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf({ paths: [], operations: [], project_attributes: {} })).toEqual([]);
    expect(problemsOf({ paths: [] }, true)).toEqual([]);
    expect(problemsOf({ paths: ['**', '!docs/**'], languages: ['ts'], code_patterns: [' '] })).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['no object', [], 'invalid_input triggers: must be an object'],
    ['null', null, 'invalid_input triggers: must be an object'],
    ['a foreign dimension', { applyTo: ['**'] }, 'invalid_input applyTo: is not a dimension; is paths meant?'],
    ['a misspelt dimension', { langauges: [] }, 'is languages meant?'],
    ['an unknown dimension', { toString: 1 }, 'there are paths, operations'],
    ['a text for a list', { paths: 'src/**' }, 'invalid_input paths: must be a list of strings'],
    ['null for a list', { operations: null }, 'invalid_input operations: must be a list of strings'],
    ['a blank operation', { operations: ['a', ' \u200b'] }, 'invalid_input operations.1: must hold'],
    ['an empty pattern', { code_patterns: [''] }, 'invalid_input code_patterns.0: must hold'],
    ['a long operation', { operations: ['a'.repeat(201)] }, 'operations.0: has 201 characters'],
    ['too many', { languages: Array.from({ length: 201 }, () => 'ts') }, 'languages: has 201 entries'],
    ['a faulty glob', { paths: ['a', 'src/{a'] }, 'invalid_glob paths.1: "src/{a" is no glob'],
    ['a Windows path', { paths: ['src\\**\\*.ts'] }, 'write src/**/*.ts'],
    ['exclusions alone', { paths: ['!a', '!b'] }, 'invalid_glob paths.0: only excludes'],
    [
      'a faulty pattern',
      { code_patterns: ['a(?=b)'] },
      'invalid_code_pattern code_patterns.0: "a(?=b)" is no RE2 pattern',
    ],
    [
      'an unknown language',
      { languages: ['ts', 'pyhton'] },
      'languages.1: "pyhton" is no language that linguist knows; is python meant?',
    ],
    ['a list of attributes', { project_attributes: ['a'] }, 'project_attributes: must be an object'],
    [
      'an attribute without values',
      { project_attributes: { tier: [] } },
      'project_attributes.tier: needs at least one value',
    ],
    ['an attribute with a text', { project_attributes: { tier: 'prod' } }, 'project_attributes.tier: must be a list'],
    [
      'an attribute with a number',
      { project_attributes: { tier: ['x', 1] } },
      'project_attributes.tier.1: must be a string',
    ],
    ['a nameless attribute', { project_attributes: { ' ': ['x'] } }, 'project_attributes: must hold'],
  ])('R2: %s', (_, triggers, message) => {
    expect(problemsOf(triggers)).toEqual([expect.stringContaining(message)]);
  });

  it('R2: every problem is named, each at its place', () => {
    expect(problemsOf({ globs: [], paths: ['[', 7], languages: ['x-y-z'] })).toHaveLength(4);
  });

  it('R2: an attribute that every object inherits is read only where it stands', () => {
    expect(problemsOf(JSON.parse('{"project_attributes": {"__proto__": ["x"], "constructor": ["y"]}}'))).toEqual([]);
  });

  it('R2: a value in a message is cut', () => {
    expect(problemsOf({ paths: [`{${'x'.repeat(500)}`] })[0]?.length).toBeLessThan(250);
  });

  it('R1: triggers beside always are named', () => {
    expect(problemsOf({ paths: ['a'], operations: ['b'] }, true)).toEqual([
      expect.stringContaining('invalid_input paths: contradicts always'),
      expect.stringContaining('invalid_input operations: contradicts always'),
    ]);
  });
});

describe('R1: the change of a query', () => {
  it('R1: a sound one has no problem', () => {
    expect(changeProblems({})).toEqual([]);
    const change = {
      file_paths: ['a\\b'],
      operations: [],
      languages: ['klingon'],
      code: '',
      project_attributes: { a: '' },
    };
    expect(changeProblems(change)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['no object', 'x', 'change: must be an object'],
    ['another name', { paths: [] }, 'paths: is not an argument; is file_paths meant?'],
    ['a misspelt name', { operation: [] }, 'operation: is not an argument; is operations meant?'],
    ['an absolute path', { file_paths: ['a', '/x'] }, 'file_paths.1: "/x" is absolute'],
    ['a path outside', { file_paths: ['../x'] }, 'file_paths.0: "../x" leads out'],
    ['an empty path', { file_paths: [''] }, 'file_paths.0: "" names no file'],
    ['a path that is no text', { file_paths: [1] }, 'file_paths.0: must be a string'],
    ['code that is no text', { code: ['x'] }, 'code: must be a string'],
    ['a boolean attribute', { project_attributes: { public: true } }, 'project_attributes.public: must be a string'],
    ['a list of attributes', { project_attributes: [] }, 'project_attributes: must be an object'],
    ['a text for a list', { languages: 'ts' }, 'languages: must be a list'],
  ])('R1: %s', (_, change, message) => {
    expect(changeProblems(change)).toEqual([expect.stringContaining(message)]);
  });
});

describe('R2: the name that was meant', () => {
  it.each([
    ['alwaysAply', 'alwaysApply'],
    ['glob', 'globs'],
    ['pahts', 'paths'],
    ['globs', 'globs'],
    ['xyz', null],
    ['a', null],
    ['', null],
  ])('R2: %j is %s', (given, meant) => {
    expect(nearestName(given, ['globs', 'alwaysApply', 'paths', 'description'])).toBe(meant);
  });
});
