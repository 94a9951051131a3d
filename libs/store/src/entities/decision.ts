import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('decision')
export class DecisionEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  workspaceId: string;

  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  @Column({ name: 'project_id', type: 'text' })
  projectId: string;

  @Column({ name: 'build_session_id', type: 'text', nullable: true })
  buildSessionId: string | null;

  @Column({ name: 'backlog_item_id', type: 'text', nullable: true })
  backlogItemId: string | null;

  @Column({ name: 'actor_id', type: 'text' })
  actorId: string;

  @Column({ name: 'title', type: 'text' })
  title: string;

  @Column({ name: 'rationale_markdown', type: 'text' })
  rationaleMarkdown: string;

  @Column({ name: 'decided_on', type: 'date' })
  decidedOn: string;

  @Column({ name: 'changes_public_contract', type: 'boolean' })
  changesPublicContract: boolean;

  @Column({ name: 'kind', type: 'text' })
  kind: string;

  @Column({ name: 'tags', type: 'text', array: true })
  tags: string[];

  @Column({ name: 'paths', type: 'text', array: true })
  paths: string[];

  @Column({ name: 'supersedes_decision_id', type: 'text', nullable: true })
  supersedesDecisionId: string | null;

  @Column({ name: 'appended_at', type: 'timestamptz', precision: 3 })
  appendedAt: Date;

  @Column({ name: 'audit_event_id', type: 'text' })
  auditEventId: string;

  @Column({ name: 'erased_by_event_id', type: 'text', nullable: true })
  erasedByEventId: string | null;
}
