import type { RuleObject } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';

/** What a revision fixes. */
export type RuleText = Pick<RuleObject, 'title' | 'body_markdown' | 'triggers' | 'always' | 'severity'>;

export interface RuleWrite {
  readonly id: string;
  readonly text: RuleText;
  readonly actorId: string;
  readonly eventId: string;
  readonly now: string;
}

/** Inserts a rule with its first revision. */
export async function insertRule(
  tx: Transaction,
  write: RuleWrite & { projectId: string | null; sourceKey: string | null },
): Promise<void> {
  const { id, text, now } = write;
  await tx.run(
    `INSERT INTO rule (workspace_id, id, project_id, title, body_markdown, triggers, always, severity, source_key, created_at, revised_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      tx.workspaceId,
      id,
      write.projectId,
      text.title,
      text.body_markdown,
      JSON.stringify(text.triggers),
      text.always,
      text.severity,
      write.sourceKey,
      now,
    ],
  );
  await insertRevision(tx, write, 1);
}

/** Writes the next revision of a rule whose row is locked; returns its number. */
export async function reviseRule(tx: Transaction, write: RuleWrite, revision: number): Promise<number> {
  const { id, text, now } = write;
  await tx.run(
    `UPDATE rule SET title = $3, body_markdown = $4, triggers = $5, always = $6, severity = $7, revision = $8, revised_at = $9
     WHERE workspace_id = $1 AND id = $2`,
    [
      tx.workspaceId,
      id,
      text.title,
      text.body_markdown,
      JSON.stringify(text.triggers),
      text.always,
      text.severity,
      revision,
      now,
    ],
  );
  await insertRevision(tx, write, revision);
  return revision;
}

async function insertRevision(
  tx: Transaction,
  { id, text, actorId, eventId, now }: RuleWrite,
  revision: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO rule_revision (workspace_id, rule_id, revision, title, body_markdown, triggers, always, severity, actor_id, revised_at, audit_event_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      tx.workspaceId,
      id,
      revision,
      text.title,
      text.body_markdown,
      JSON.stringify(text.triggers),
      text.always,
      text.severity,
      actorId,
      now,
      eventId,
    ],
  );
  await moveRuleSet(tx);
}

/** R5: every process compiles anew when it next reads the version, which moves in the transaction of the change. */
export async function moveRuleSet(tx: Transaction): Promise<void> {
  await tx.run(
    `INSERT INTO rule_set AS s (workspace_id, version) VALUES ($1, 1)
     ON CONFLICT (workspace_id) DO UPDATE SET version = s.version + 1`,
    [tx.workspaceId],
  );
}
