import type { Rule, Triggers } from '../rule.js';
import { writeQuoted, writeScalar } from './frontmatter-values.js';
import { headingLine } from './markdown-lines.js';
import { writeMetadata } from './rule-metadata.js';
import { withoutAnchor } from './rule-file-place.js';

export type ExportFormat = 'cursor' | 'claude';

export interface ExportedFile {
  readonly path: string;
  readonly content: string;
}

/** What the other tool will not do as the rule says. */
export interface ExportWarning {
  readonly ruleId: string;
  readonly message: string;
}

export interface ExportResult {
  readonly files: readonly ExportedFile[];
  readonly warnings: readonly ExportWarning[];
}

/** Words of a title in a file name. */
const MAX_NAME_LENGTH = 60;

/**
 * Writes rules as files of another tool (R4), one a rule. What its format cannot say (operations, languages, code,
 * attributes, severity) stands in a comment at the end, so that `readRuleFiles` gives the same rule again, and in a
 * warning, since the tool itself will not look at it. Deterministic: equal rules give equal files.
 */
export function writeRuleFiles(rules: readonly Rule[], format: ExportFormat): ExportResult {
  const taken = new Set<string>();
  const warnings = rules.flatMap((rule) => warningsFor(rule, format));
  const files = rules
    .filter((rule) => format === 'cursor' || !neverMatches(rule))
    .map((rule) => {
      const name = freeName(rule, taken);
      taken.add(name);
      return format === 'cursor'
        ? { path: `.cursor/rules/${name}.mdc`, content: cursorFile(rule) }
        : { path: `.claude/rules/${name}.md`, content: claudeFile(rule) };
    });
  return { files, warnings };
}

function warningsFor(rule: Rule, format: ExportFormat): ExportWarning[] {
  if (neverMatches(rule)) {
    if (format === 'cursor') return [];
    return [
      { ruleId: rule.id, message: 'left out: it never matches here, and Claude loads a rule without paths always' },
    ];
  }
  const others = Object.keys(otherTriggers(rule));
  if (others.length === 0) return [];
  const wider = pathsOf(rule).length === 0 && format === 'claude' ? ' and loads the rule always' : '';
  return [{ ruleId: rule.id, message: `${format} does not know ${others.join(', ')}${wider}` }];
}

const neverMatches = (rule: Rule): boolean =>
  !rule.always && pathsOf(rule).length === 0 && Object.keys(otherTriggers(rule)).length === 0;

const pathsOf = ({ triggers }: Rule): readonly string[] => triggers.paths ?? [];

/** Populated dimensions but paths. */
function otherTriggers({ triggers }: Rule): Omit<Triggers, 'paths'> {
  const { paths: _paths, ...others } = triggers;
  return Object.fromEntries(Object.entries(others).filter(([, value]) => Object.keys(value).length > 0));
}

function cursorFile(rule: Rule): string {
  const globs = pathsOf(rule).map(withoutBareCommas).join(',');
  return fileOf(rule, rule.body_markdown, [
    `description: ${writeTitle(rule.title)}`,
    globs === '' ? 'globs:' : `globs: ${writeScalar(globs)}`,
    `alwaysApply: ${rule.always}`,
  ]);
}

/** Other readers of the file are stricter than ours: to them a colon or a sign in front has a meaning. */
const writeTitle = (title: string): string =>
  /^[\p{L}\p{N}]/u.test(title) && !/:(?:\s|$)/.test(title) ? writeScalar(title) : writeQuoted(title);

function claudeFile(rule: Rule): string {
  const paths = pathsOf(rule).map((glob) => `  - ${writeQuoted(withoutBareCommas(withoutAnchor(glob)))}`);
  const body = `${headingLine(rule.title)}\n\n${rule.body_markdown}`;
  return fileOf(rule, body, paths.length === 0 ? [] : ['paths:', ...paths]);
}

function fileOf(rule: Rule, body: string, fields: readonly string[]): string {
  const head = fields.length === 0 ? [] : ['---', ...fields, '---', ''];
  const severity = rule.severity === 'info' ? {} : { severity: rule.severity };
  const metadata = writeMetadata({ ...severity, triggers: otherTriggers(rule) });
  const tail = metadata === null ? [] : ['', metadata];
  return [...head, body.trimEnd(), ...tail, ''].join('\n');
}

/** A comma outside of braces would end the glob where it is read back. */
function withoutBareCommas(glob: string): string {
  let depth = 0;
  return glob.replace(/\\.|[{}[\],]/gs, (sign) => {
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') depth = Math.max(0, depth - 1);
    return sign === ',' && depth === 0 ? '\\,' : sign;
  });
}

function freeName({ title, id }: Rule, taken: ReadonlySet<string>): string {
  const words =
    title
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, MAX_NAME_LENGTH).replace(/-+$/, '') || id.toLowerCase();
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}-${count}`;
  return free;
}
