import { isBlank } from '@perdure/contracts';
import type { Triggers } from '../rule.js';
import { nearestName } from '../validation/nearest-name.js';
import { quoted } from '../validation/trigger-problem.js';
import { validateTriggers } from '../validation/validate-triggers.js';
import { readFrontmatter, type Frontmatter, type FrontmatterField, type FrontmatterItem } from './frontmatter.js';
import { splitGlobs } from './frontmatter-values.js';
import { headingOf, trimmedText } from './markdown-lines.js';
import { takeMetadata, type RuleMetadata } from './rule-metadata.js';
import { RuleFileFault, type ImportedRule, type LineNote } from './rule-file.js';
import { anchoredAtRoot, scopeToDirectory, type RuleFilePlace } from './rule-file-place.js';

type RuleOfFile = Omit<ImportedRule, 'path'>;

/** How one tool writes its rules. */
interface FrontmatterFormat {
  readonly fields: readonly string[];
  readonly globField: string;
  /** Where a title is looked for before the first heading. */
  readonly titleFields: readonly string[];
  /** The tool reads a glob without a slash as one of the root's files. */
  readonly rootGlobs: boolean;
  /** What the tool does with a rule that has no glob. */
  readonly withoutGlobs: 'always' | 'never';
  /** The heading the text starts with is its title, and no part of it. */
  readonly headingIsTitle: boolean;
}

const FORMATS: Readonly<Record<'cursor' | 'claude' | 'copilot', FrontmatterFormat>> = {
  cursor: {
    fields: ['description', 'globs', 'alwaysApply'],
    globField: 'globs',
    titleFields: ['description'],
    rootGlobs: false,
    withoutGlobs: 'never',
    headingIsTitle: false,
  },
  claude: {
    fields: ['paths', 'description'],
    globField: 'paths',
    titleFields: ['description'],
    rootGlobs: true,
    withoutGlobs: 'always',
    headingIsTitle: true,
  },
  copilot: {
    fields: ['applyTo', 'description', 'name', 'excludeAgent'],
    globField: 'applyTo',
    titleFields: ['name', 'description'],
    rootGlobs: true,
    withoutGlobs: 'never',
    headingIsTitle: false,
  },
};

/** What the tools call their globs: a field of another one is named with the own. */
const GLOB_FIELDS = Object.values(FORMATS).map(({ globField }) => globField);
/** `@(a|b)`: other matchers read a choice, this dialect plain text. */
const EXTGLOB = /(?<!\\)[@+*?!]\(/;

interface FileReader {
  readonly place: RuleFilePlace;
  readonly format: FrontmatterFormat;
  readonly frontmatter: Frontmatter;
  readonly warn: (note: LineNote) => void;
}

/**
 * One rule from a file with frontmatter, as its own tool would read it.
 *
 * @throws RuleFileFault
 */
export function readFrontmatterRule(
  lines: readonly string[],
  place: RuleFilePlace & { readonly format: 'cursor' | 'claude' | 'copilot' },
  warn: (note: LineNote) => void,
): RuleOfFile {
  const frontmatter = readFrontmatter(lines);
  const reader: FileReader = { place, format: FORMATS[place.format], frontmatter, warn };
  frontmatter.fields.forEach((field) => refuseUnknown(reader, field));
  const bodyStart = frontmatter.endLine;
  const { metadata, rest } = takeMetadata(lines.slice(bodyStart), bodyStart + 1);
  const { title, body } = titleAndBody(reader, rest);
  if (isBlank(body)) throw new RuleFileFault(Math.max(1, bodyStart), 'holds no text: a rule without text is none');
  return {
    line:
      bodyStart +
      1 +
      Math.max(
        0,
        rest.findIndex((line) => line.trim() !== ''),
      ),
    title,
    body_markdown: body,
    ...scopeToDirectory(place.directory, triggersOf(reader, metadata)),
    ...(metadata.severity === undefined ? {} : { severity: metadata.severity }),
  };
}

function refuseUnknown({ format }: FileReader, { key, line }: FrontmatterField): void {
  if (format.fields.includes(key)) return;
  const meant = GLOB_FIELDS.includes(key) ? format.globField : nearestName(key, format.fields);
  const hint = meant === null ? `this format knows ${format.fields.join(', ')}` : `this format says ${meant}`;
  throw new RuleFileFault(line, `the field ${key} is unknown: ${hint}`);
}

const fieldOf = ({ frontmatter }: FileReader, name: string): FrontmatterField | undefined =>
  frontmatter.fields.find(({ key }) => key === name);

function triggersOf(reader: FileReader, metadata: RuleMetadata): { triggers: Triggers; always: boolean } {
  const { format, warn } = reader;
  const globField = fieldOf(reader, format.globField);
  const others = Object.keys(metadata.triggers).length > 0;
  const excluded = fieldOf(reader, 'excludeAgent');
  if (excluded) {
    warn({ line: excluded.line, message: 'excludeAgent has no counterpart: the rule is given to every agent' });
  }
  if (readsAlways(reader)) {
    if (others) throw new RuleFileFault(1, 'alwaysApply contradicts the triggers of the perdure comment');
    if (globField && globField.items.length > 0) {
      const message = `${format.globField} is left out: its tool does not read it where alwaysApply is true`;
      warn({ line: globField.line, message });
    }
    return { triggers: {}, always: true };
  }
  const paths = globsOf(reader, globField);
  if (paths.length > 0) return { triggers: { paths, ...metadata.triggers }, always: false };
  if (others) return { triggers: metadata.triggers, always: false };
  if (format.withoutGlobs === 'always') return { triggers: {}, always: true };
  warn({ line: 1, message: `never matches: it has no ${format.globField}, and nothing else here picks a rule` });
  return { triggers: {}, always: false };
}

function readsAlways(reader: FileReader): boolean {
  const field = fieldOf(reader, 'alwaysApply');
  const [item] = field?.items ?? [];
  if (!field || !item) return false;
  if (!/^(?:true|false)$/i.test(item.text)) throw new RuleFileFault(field.line, 'alwaysApply is true or false');
  return item.text.toLowerCase() === 'true';
}

function globsOf({ format, warn }: FileReader, field: FrontmatterField | undefined): string[] {
  const items = (field?.items ?? []).flatMap(({ text, line }) =>
    splitGlobs(text).map((glob) => ({ text: glob, line })),
  );
  const [problem] = validateTriggers({ paths: items.map(({ text }) => text) });
  if (problem) throw globFault(problem, items, field?.line ?? 1);
  for (const { text, line } of items) {
    if (EXTGLOB.test(text))
      warn({ line, message: `${quoted(text)} holds brackets of an extglob, read here as plain text` });
  }
  const globs = items.map(({ text }) => (format.rootGlobs ? anchoredAtRoot(text) : text));
  return [...new Set(globs)];
}

function globFault(
  { code, path, message }: ReturnType<typeof validateTriggers>[number],
  items: readonly FrontmatterItem[],
  fieldLine: number,
): RuleFileFault {
  const index = Number(path.split('.')[1]);
  return new RuleFileFault(items[index]?.line ?? fieldLine, message, code);
}

function titleAndBody(reader: FileReader, lines: readonly string[]): { title: string; body: string } {
  const { format, place } = reader;
  const named = format.titleFields.map((name) =>
    fieldOf(reader, name)
      ?.items.map(({ text }) => text)
      .join(', '),
  );
  const title = named.find((text) => text !== undefined && !isBlank(text));
  if (title !== undefined) return { title, body: trimmedText(lines) };
  const first = lines.findIndex((line) => line.trim() !== '');
  const heading = headingOf(lines[first] ?? '');
  if (heading?.level !== 1 || isBlank(heading.text)) return { title: place.name, body: trimmedText(lines) };
  return { title: heading.text, body: trimmedText(format.headingIsTitle ? lines.slice(first + 1) : lines) };
}
