import type { DecisionObject } from '@perdure/contracts';
import { slugFrom } from '../slug.js';

export interface ExportedFile {
  readonly path: string;
  readonly content: string;
}

/**
 * One Markdown file per entry in MADR 4 form (frontmatter, context, outcome). A title is one line and its slug the file
 * name: no text of an entry can leave the folder, add frontmatter or start another section above its own.
 */
export function toMadrFiles(decisions: readonly DecisionObject[]): ExportedFile[] {
  const paths = new Map(decisions.map((decision, index) => [decision.id, madrPath(decision, index)]));
  return decisions.map((decision) => ({ path: paths.get(decision.id) ?? '', content: madrContent(decision, paths) }));
}

function madrPath(decision: DecisionObject, index: number): string {
  const number = String(index + 1).padStart(4, '0');
  return `decisions/${number}-${slugFrom(decision.title, decision.id.toLowerCase())}.md`;
}

function madrContent(decision: DecisionObject, paths: ReadonlyMap<string, string>): string {
  const { superseded_by_decision_id: later, supersedes_decision_id: earlier } = decision;
  const nameOf = (id: string) => fileName(paths.get(id)) ?? id;
  const frontmatter = {
    status: later === null ? 'accepted' : `superseded by ${nameOf(later)}`,
    date: decision.decided_on,
    'decision-makers': [decision.actor.name],
    'perdure-id': decision.id,
    'perdure-kind': decision.kind,
    'changes-public-contract': decision.changes_public_contract,
    ...(earlier === null ? {} : { supersedes: nameOf(earlier) }),
    ...(decision.tags.length === 0 ? {} : { tags: decision.tags }),
    ...(decision.paths.length === 0 ? {} : { paths: decision.paths }),
  };
  // JSON is YAML: every value is quoted as a scalar or list of its own, whatever it holds.
  const yaml = Object.entries(frontmatter).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return [
    '---',
    ...yaml,
    '---',
    '',
    `# ${oneLine(decision.title)}`,
    '',
    '## Decision Outcome',
    '',
    decision.rationale_markdown,
    '',
  ].join('\n');
}

const fileName = (path: string | undefined): string | undefined => path?.split('/').at(-1);

const oneLine = (text: string): string =>
  text
    .split(/[\s\p{Cc}]+/u)
    .join(' ')
    .trim();
