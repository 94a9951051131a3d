import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('build_session')
export class BuildSessionEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  workspaceId: string;

  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  @Column({ name: 'project_id', type: 'text' })
  projectId: string;

  @Column({ name: 'actor_id', type: 'text' })
  actorId: string;

  @Column({ name: 'computer', type: 'text' })
  computer: string;

  @Column({ name: 'branch', type: 'text' })
  branch: string;

  @Column({ name: 'worktree', type: 'text', nullable: true })
  worktree: string | null;

  @Column({ name: 'intent', type: 'text', nullable: true })
  intent: string | null;

  @Column({ name: 'notes', type: 'text', nullable: true })
  notes: string | null;

  @Column({ name: 'client_name', type: 'text', nullable: true })
  clientName: string | null;

  @Column({ name: 'client_version', type: 'text', nullable: true })
  clientVersion: string | null;

  @Column({ name: 'status', type: 'text' })
  status: string;

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3 })
  startedAt: Date;

  @Column({ name: 'last_pinged_at', type: 'timestamptz', precision: 3 })
  lastPingedAt: Date;

  @Column({ name: 'last_active_at', type: 'timestamptz', precision: 3 })
  lastActiveAt: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', precision: 3, nullable: true })
  endedAt: Date | null;

  @Column({ name: 'current_state_markdown', type: 'text' })
  currentStateMarkdown: string;

  @Column({ name: 'state_version', type: 'int' })
  stateVersion: number;

  @Column({ name: 'session_history_entry_markdown', type: 'text', nullable: true })
  sessionHistoryEntryMarkdown: string | null;

  @Column({ name: 'continues_id', type: 'text', nullable: true })
  continuesId: string | null;

  @Column({ name: 'erased_by_event_id', type: 'text', nullable: true })
  erasedByEventId: string | null;
}
