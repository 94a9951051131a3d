import { diceOf } from '../testing/made-tokens.js';
import { KeywordScanner } from './keyword-scanner.js';

function occurrences(keywords: readonly string[], text: string): string[] {
  const found: string[] = [];
  new KeywordScanner(keywords).scan(text, (keyword, offset) => {
    found.push(`${offset} ${keywords[keyword] ?? ''}`);
    return false;
  });
  return found.sort();
}

/** The same by looking for each keyword at each place. */
function expected(keywords: readonly string[], text: string): string[] {
  const found: string[] = [];
  for (let offset = 0; offset < text.length; offset += 1) {
    for (const keyword of keywords)
      if (text.toLowerCase().startsWith(keyword, offset)) found.push(`${offset} ${keyword}`);
  }
  return found.sort();
}

describe('the keyword scanner', () => {
  it('finds overlapping and nested keywords, in any case', () => {
    expect(occurrences(['he', 'she', 'his', 'hers'], 'uSHErs')).toEqual(['1 she', '2 he', '2 hers']);
  });

  it.each(Array.from({ length: 40 }, (_unused, seed) => seed))(
    'agrees with a plain search on random text %i',
    (seed) => {
      const dice = diceOf(seed);
      const word = (length: number): string => Array.from({ length }, () => 'abAé'[dice(4)] ?? '').join('');
      const keywords = [
        ...new Set(
          Array.from({ length: 12 }, () =>
            word(1 + dice(4))
              .toLowerCase()
              .replaceAll('é', 'b'),
          ),
        ),
      ];
      const text = word(300);
      expect(occurrences(keywords, text)).toEqual(expected(keywords, text));
    },
  );

  it('stops when it is told to', () => {
    let calls = 0;
    new KeywordScanner(['a']).scan('aaaa', () => {
      calls += 1;
      return calls === 2;
    });
    expect(calls).toBe(2);
  });
});
