import { isDeepStrictEqual } from 'node:util';
import { catalogue, type InputOf, type OutputOf, type RuleObject } from '@perdure/contracts';
import { type ImportedRule, readRuleFiles } from '@perdure/rule-match';
import { type HandlerContext, implement } from '../dispatcher/implement.js';
import { requireProject } from '../projects/find-project.js';
import { insertRule, reviseRule, type RuleText } from './write-rule.js';

const contract = catalogue.rules.importRules;
type Context = HandlerContext<InputOf<typeof contract>>;
type Answer = OutputOf<typeof contract>;
type Outcome = 'created' | 'revised' | 'unchanged';

export const importRulesHandler = implement(contract, async (context) => {
  const { tx, input } = context;
  const project = input.project === undefined ? null : await requireProject(tx, input.project);
  const read = readRuleFiles(input.files);
  const answer: Answer = {
    created: [],
    revised: [],
    unchanged: [],
    rejected: read.rejected.map((file) => ({ ...file })),
    warnings: read.warnings.map((warning) => ({ ...warning })),
  };
  for (const rule of read.rules) {
    const { outcome, id } = await importRule(context, project?.id ?? null, rule);
    answer[outcome].push({ path: rule.path, title: rule.title, rule_id: id });
  }
  return answer;
});

/** One rule of a file: what it was imported as before is revised or left as it is. */
async function importRule(
  context: Context,
  projectId: string | null,
  imported: ImportedRule,
): Promise<{ outcome: Outcome; id: string | null }> {
  const { input } = context;
  const sourceKey = sourceKeyOf(imported);
  const before = await findImported(context, projectId, sourceKey);
  const text = textOf(imported, before);
  if (before !== undefined && isSame(before, text)) return { outcome: 'unchanged', id: before.id };
  const outcome = before === undefined ? 'created' : 'revised';
  if (input.dry_run === true) return { outcome, id: before?.id ?? null };
  return { outcome, id: await writeImported(context, { projectId, sourceKey, before, text, path: imported.path }) };
}

interface ImportWrite {
  readonly projectId: string | null;
  readonly sourceKey: string;
  readonly before: RuleObject | undefined;
  readonly text: RuleText;
  readonly path: string;
}

async function writeImported(
  { tx, caller, now, newId, audit }: Context,
  { projectId, sourceKey, before, text, path }: ImportWrite,
): Promise<string> {
  const id = before?.id ?? newId();
  const revision = (before?.revision ?? 0) + 1;
  const payload = { project_id: projectId, path, title: text.title, revision };
  const write = {
    id,
    text,
    actorId: caller.actor.id,
    eventId: audit({ type: 'rule.imported', subjectId: id, payload }),
    now,
  };
  if (before === undefined) await insertRule(tx, { ...write, projectId, sourceKey });
  else await reviseRule(tx, write, revision);
  return id;
}

/** Files of one rule are known by their path, sections of AGENTS.md and CLAUDE.md by their title too. */
function sourceKeyOf({ path, title }: ImportedRule): string {
  return /(^|\/)(AGENTS|CLAUDE)\.md$/i.test(path) ? `${path}#${title}` : path;
}

function findImported({ tx }: Context, projectId: string | null, sourceKey: string): Promise<RuleObject | undefined> {
  return tx.first<RuleObject>(
    `SELECT id, title, body_markdown, triggers, always, severity, revision FROM rule
     WHERE workspace_id = $1 AND project_id IS NOT DISTINCT FROM $2 AND source_key = $3 AND status = 'active' FOR NO KEY UPDATE`,
    [tx.workspaceId, projectId, sourceKey],
  );
}

/** A file that says no severity leaves the one that was set here. */
function textOf(
  { title, body_markdown, triggers, always, severity }: ImportedRule,
  before: RuleObject | undefined,
): RuleText {
  const plain = JSON.parse(JSON.stringify(triggers)) as RuleText['triggers']; // lists of the reader are its own
  return { title, body_markdown, triggers: plain, always, severity: severity ?? before?.severity ?? 'info' };
}

function isSame({ title, body_markdown, triggers, always, severity }: RuleObject, text: RuleText): boolean {
  return isDeepStrictEqual({ title, body_markdown, triggers, always, severity }, text);
}
