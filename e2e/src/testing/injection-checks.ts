import { briefOf, readAll, storeText, type AttackPlace } from './attack-place.js';
import type { ToolAnswer } from './official-clients.js';

/** Whatever some reader takes for the end of a line: the set of Python's splitlines and Unicode's. */
const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;

/** Stands where the attack does, in a brief to compare with. */
const HARMLESS = 'harmless';

/** A brief of the same rows with a harmless text in them. */
export async function harmlessBrief(place: AttackPlace, field: string): Promise<string> {
  await storeText(place, field, HARMLESS);
  return briefOf(place);
}

/** The lines of a brief that are ours, with what differs from call to call and all quoted text taken out. */
export function ownLines(brief: string): string[] {
  return brief
    .split(LINE_END)
    .filter((line) => !line.startsWith('  > '))
    .map((line) =>
      line
        .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
        .replaceAll(/[0-7][0-9A-HJKMNP-TV-Z]{25}/g, 'ID')
        .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:]+Z)?/g, 'TIME')
        .replace(/^# Brief of .*/, '# Brief of'),
    );
}

/** A text block is one line of JSON, the same as the structured content, which holds the value as it was stored. */
export function expectUnbroken(answer: ToolAnswer, value: string): void {
  const [block, ...others] = answer.content as { type: string; text: string }[]; // DESIGN §8
  expect(others).toEqual([]);
  expect(block?.text.split(LINE_END)).toHaveLength(1);
  expect(JSON.parse(block?.text ?? '')).toEqual(answer.structuredContent);
  const holding = stringsIn(answer.structuredContent).filter(({ text }) => text.includes(value));
  for (const { text, path } of holding) if (!path.endsWith('brief_markdown')) expect(text).toBe(value);
}

/** Fields in which stored text may stand. */
const TEXT_FIELDS = /\.(title|intent|notes|\w+_markdown)$/;

/** The value stands in fields for such text alone, and in an object that names who wrote it. */
export async function expectMarked(place: AttackPlace, value: string): Promise<void> {
  let met = 0;
  for (const { structuredContent } of await readAll(place)) {
    for (const { text, path, authors } of stringsIn(structuredContent)) {
      if (text !== value) continue;
      met += 1;
      expect(path).toMatch(TEXT_FIELDS);
      expect([path, authors]).toEqual([path, ['agent']]);
    }
  }
  expect(met).toBeGreaterThan(2);
}

interface Found {
  readonly text: string;
  readonly path: string;
  /** Named by the objects around it. */
  readonly authors: readonly string[];
}

function stringsIn(value: unknown, path = '', outer: readonly string[] = []): Found[] {
  if (typeof value === 'string') return [{ text: value, path, authors: outer }];
  if (typeof value !== 'object' || value === null) return [];
  const { actor } = value as { actor?: { name: string } }; // the shape of every author
  const authors = actor === undefined ? outer : [...new Set([...outer, actor.name])];
  return Object.entries(value).flatMap(([key, inner]) => [
    { text: key, path: `${path}.key`, authors },
    ...stringsIn(inner, `${path}.${key}`, authors),
  ]);
}
