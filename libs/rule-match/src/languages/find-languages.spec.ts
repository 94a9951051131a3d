import { findLanguage, knownLanguageNames, languagesOfFile, withParent } from './find-languages.js';

describe('R2: languages', () => {
  it('R2: knows the 833 languages of linguist', () => {
    const languages = new Set([...knownLanguageNames()].map(findLanguage));
    expect(languages.size).toBe(833);
    expect(languages.has(null)).toBe(false);
  });

  it.each([
    ['ts', 'TypeScript'],
    ['C++', 'C++'],
    ['cpp', 'C++'],
    ['c', 'C'],
    ['objective-c', 'Objective-C'],
    ['Objective C', 'Objective-C'],
    [' RUST ', 'Rust'],
    ['visual basic 6.0', 'Visual Basic 6.0'],
    ['visual-basic-6.0', 'Visual Basic 6.0'],
    ['vim-script', 'Vim script'],
    ['typescirpt', null],
    ['', null],
    ['constructor', null],
  ])('R2: %j is %s', (name, language) => {
    expect(findLanguage(name)).toBe(language);
  });

  it.each([
    ['main.go', ['Go']],
    ['Main.RS', ['RenderScript', 'Rust', 'XML']],
    ['dockerfile', ['Dockerfile']],
    ['CMakeLists.txt', ['CMake']],
    ['x.blade.php', ['Blade']],
    ['x.y.html.erb', ['HTML+ERB']],
    ['a.b.c.d.go', ['Go']],
    ['list.h', ['C', 'C++', 'Objective-C']],
    ['.bashrc', ['Shell']],
    ['go', []],
    ['x.qqq', []],
    ['x.', []],
    ['', []],
    ['.constructor', []],
  ])('R2: %j may be in %j', (fileName, languages) => {
    expect([...languagesOfFile(fileName)].sort()).toEqual(languages);
  });

  it('R2: a language counts as its own and as the one it is a kind of', () => {
    expect(withParent('TSX')).toEqual(['TSX', 'TypeScript']);
    expect(withParent('TypeScript')).toEqual(['TypeScript']);
  });
});
