import { isBlank } from '@perdure/contracts';
import { fencedLines, headingOf, trimmedText } from './markdown-lines.js';
import { RuleFileFault, type ImportedRule, type LineNote } from './rule-file.js';
import { scopeToDirectory, type RuleFilePlace } from './rule-file-place.js';

/** A line that pulls in another file, which this import does not open. */
const INCLUDE = /^@\S+$/;
/** Headings of these levels start a rule; deeper ones are part of its text. */
const SECTION_LEVEL = 2;

interface Section {
  readonly title: string;
  /** 1-based line of its heading. */
  readonly line: number;
  readonly level: number;
  readonly lines: string[];
}

/**
 * One rule a section of AGENTS.md or CLAUDE.md. The text before the first heading is one too, titled after the file; a
 * first-level heading without text of its own is the title of the document.
 *
 * @throws RuleFileFault when there is no text
 */
export function readSections(
  lines: readonly string[],
  place: RuleFilePlace,
  warn: (note: LineNote) => void,
): Omit<ImportedRule, 'path'>[] {
  const { own, included } = place.name === 'CLAUDE' ? withoutIncludes(lines, warn) : { own: lines, included: false };
  const sections = sectionsOf(own, place.name);
  const rules = sections.flatMap(({ title, line, level, lines: text }) => {
    const body = trimmedText(text);
    if (!isBlank(body)) return [{ line, title, body_markdown: body, ...scopeOf(place) }];
    if (level === SECTION_LEVEL) warn({ line, message: `the section ${title} holds no text: no rule is made of it` });
    return [];
  });
  if (rules.length === 0 && !included) throw new RuleFileFault(1, 'holds no text: a rule without text is none');
  return rules;
}

const scopeOf = ({ directory }: RuleFilePlace): Pick<ImportedRule, 'triggers' | 'always'> =>
  scopeToDirectory(directory, { triggers: {}, always: true });

/** Keeps the number of lines: those that go are emptied. */
function withoutIncludes(
  lines: readonly string[],
  warn: (note: LineNote) => void,
): { own: string[]; included: boolean } {
  const fenced = fencedLines(lines);
  let included = false;
  const own = lines.map((line, index) => {
    if (fenced[index] || !INCLUDE.test(line.trim())) return line;
    included = true;
    warn({ line: index + 1, message: `${line.trim()} is not followed: import that file too` });
    return '';
  });
  return { own, included };
}

function sectionsOf(lines: readonly string[], fileName: string): Section[] {
  const fenced = fencedLines(lines);
  const sections: Section[] = [{ title: fileName, line: 1, level: 0, lines: [] }];
  lines.forEach((line, index) => {
    const heading = fenced[index] ? null : headingOf(line);
    if (heading && heading.level <= SECTION_LEVEL) {
      const title = isBlank(heading.text) ? fileName : heading.text;
      sections.push({ title, line: index + 1, level: heading.level, lines: [] });
    } else {
      sections.at(-1)?.lines.push(line);
    }
  });
  return sections;
}
