import { normalizePath } from './normalize-path.js';

describe('R2: paths of a change', () => {
  it.each([
    ['src\\app/main.ts', 'src/app/main.ts'],
    ['./src/./a.ts', 'src/a.ts'],
    ['src//a.ts', 'src/a.ts'],
    ['src/x/../a.ts', 'src/a.ts'],
    ['docs/', 'docs/'],
    ['cafe\u0301.md', 'caf\u00e9.md'],
    ['C:a', 'C:a'],
    ['..a/b', '..a/b'],
  ])('R2: %j is read as %j', (given, text) => {
    expect(normalizePath(given)).toEqual({ text, segments: text.split('/') });
  });

  it.each([
    ['', 'empty'],
    ['.', 'empty'],
    ['a/..', 'empty'],
    ['/src/a.ts', 'absolute'],
    ['\\\\server\\share', 'absolute'],
    ['C:\\src', 'absolute'],
    ['..', 'outside'],
    ['src/../../a', 'outside'],
  ])('R2: %j is %s', (given, problem) => {
    expect(normalizePath(given)).toBe(problem);
  });
});
