// A second reading of the glob dialect, written for clearness and from the text of cases/rules/README.md alone: it shares
// no code with the library, and takes whatever time it takes. Covers what the arbitraries make, no escapes.

/** Whether a glob (without `!`) names a path that is already normalised. */
export function referenceGlobMatches(glob: string, path: string): boolean {
  return isSameText(glob, path) || expand(glob).some((pattern) => patternMatches(pattern, path));
}

function isSameText(glob: string, path: string): boolean {
  const names = glob.split('/').filter((name) => name !== '' && name !== '.');
  const own = names.slice(names.findIndex((name) => name !== '**')).join('/');
  const anyDepth = names[0] === '**' || !glob.includes('/');
  return !glob.endsWith('/') && (path === own || (anyDepth && path.endsWith(`/${own}`)));
}

/** The first brace with a comma at its own level, replaced by each of its parts. */
function expand(pattern: string): string[] {
  for (let open = pattern.indexOf('{'); open >= 0; open = pattern.indexOf('{', open + 1)) {
    const commas: number[] = [];
    let depth = 0;
    for (let index = open; index < pattern.length; index += 1) {
      if (pattern[index] === '{') depth += 1;
      if (pattern[index] === ',' && depth === 1) commas.push(index);
      if (pattern[index] === '}') depth -= 1;
      if (depth > 0) continue;
      if (commas.length === 0) break;
      const bounds = [open, ...commas, index];
      const parts = bounds.slice(1).map((end, part) => pattern.slice((bounds[part] ?? 0) + 1, end));
      return parts.flatMap((part) => expand(pattern.slice(0, open) + part + pattern.slice(index + 1)));
    }
  }
  return [pattern];
}

function patternMatches(pattern: string, path: string): boolean {
  const underDirectory = pattern.endsWith('/');
  const bare = pattern.replace(/\/+$/, '');
  const anchored = bare.includes('/');
  const names = bare.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0) return false;
  return namesMatch([...(anchored ? [] : ['**']), ...names, ...(underDirectory ? ['**'] : [])], path.split('/'));
}

function namesMatch(names: readonly string[], segments: readonly string[]): boolean {
  const [name, ...laterNames] = names;
  const [segment, ...laterSegments] = segments;
  if (name === undefined) return segment === undefined;
  if (name === '**') {
    // At the end it stands for something inside: the directory itself is not named.
    if (laterNames.length === 0) return segment !== undefined;
    return namesMatch(laterNames, segments) || (segment !== undefined && namesMatch(names, laterSegments));
  }
  return segment !== undefined && nameMatches(name, segment) && namesMatch(laterNames, laterSegments);
}

const nameMatches = (name: string, segment: string): boolean => segment !== '' && textMatches(name, segment);

function textMatches(name: string, segment: string): boolean {
  if (name === '') return segment === '';
  if (name.startsWith('*')) {
    return textMatches(name.slice(1), segment) || (segment !== '' && textMatches(name, segment.slice(1)));
  }
  if (segment === '') return false;
  const [letters = ''] = /^\[[^\]]+\]/.exec(name) ?? [];
  if (letters !== '') return inClass(letters, segment) && textMatches(name.slice(letters.length), segment.slice(1));
  return (name.startsWith('?') || name[0] === segment[0]) && textMatches(name.slice(1), segment.slice(1));
}

function inClass(letters: string, segment: string): boolean {
  const negated = letters.startsWith('[!');
  const listed = letters
    .slice(negated ? 2 : 1, -1)
    .replace(/(.)-(.)/g, (_, from: string, to: string) =>
      Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (__, step) =>
        String.fromCharCode(from.charCodeAt(0) + step),
      ).join(''),
    );
  return listed.includes(segment[0] ?? '') !== negated;
}
