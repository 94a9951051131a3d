import { codePointLength, LIMITS } from '@perdure/contracts';
import { decodeLines } from './decode-lines.js';
import { readFrontmatterRule } from './read-frontmatter-rule.js';
import { readSections } from './read-sections.js';
import {
  RuleFileFault,
  type ImportedRule,
  type ImportResult,
  type ImportWarning,
  type LineNote,
  type RejectedFile,
  type RuleFile,
} from './rule-file.js';
import { KNOWN_PLACES, placeOf } from './rule-file-place.js';

/**
 * Reads the rule files of other tools (R4), each as its own tool reads it: `.cursor/rules/*.mdc`, `.claude/rules/*.md`,
 * `.github/instructions/*.instructions.md`, and the sections of AGENTS.md and CLAUDE.md. Nothing is ignored in silence:
 * a file that cannot be read, or holds a field its format does not have, is rejected as a whole with the line; what
 * has no counterpart here is a warning. Never throws.
 */
export function readRuleFiles(files: readonly RuleFile[]): ImportResult {
  const rules: ImportedRule[] = [];
  const rejected: RejectedFile[] = [];
  const warnings: ImportWarning[] = [];
  const seen = new Set<string>();
  for (const file of files) {
    const notes: LineNote[] = [];
    try {
      if (seen.has(file.path)) throw new RuleFileFault(1, 'was given twice in one call');
      seen.add(file.path);
      rules.push(...readRuleFile(file, (note) => notes.push(note)));
      warnings.push(...notes.map((note) => ({ path: file.path, ...note })));
    } catch (error) {
      if (!(error instanceof RuleFileFault)) throw error;
      rejected.push({ path: file.path, line: error.line, code: error.code, message: error.message });
    }
  }
  return { rules, rejected, warnings };
}

function readRuleFile({ path, content }: RuleFile, warn: (note: LineNote) => void): ImportedRule[] {
  const place = placeOf(path);
  if (!place) throw new RuleFileFault(1, `is no rule file this import knows: ${KNOWN_PLACES}`);
  const lines = decodeLines(content);
  const { format } = place;
  const read =
    format === 'sections' ? readSections(lines, place, warn) : [readFrontmatterRule(lines, { ...place, format }, warn)];
  return read.map((rule) => withinLimits({ path, ...rule }, warn));
}

/** A long description makes a poor title but a sound rule; a long text is refused, since half of it would mislead. */
function withinLimits(rule: ImportedRule, warn: (note: LineNote) => void): ImportedRule {
  const length = codePointLength(rule.body_markdown);
  if (length > LIMITS.markdown) {
    throw new RuleFileFault(rule.line, `the text has ${length} characters; the limit is ${LIMITS.markdown}`);
  }
  const title = rule.title.replace(/\s+/g, ' ').trim();
  if (codePointLength(title) <= LIMITS.title) return { ...rule, title };
  warn({ line: 1, message: `the title is cut to ${LIMITS.title} characters` });
  return {
    ...rule,
    title: `${Array.from(title)
      .slice(0, LIMITS.title - 1)
      .join('')}…`,
  };
}
