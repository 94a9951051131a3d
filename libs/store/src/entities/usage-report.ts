import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('usage_report')
export class UsageReportEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  workspaceId: string;

  @PrimaryColumn({ name: 'transcript_id', type: 'text' })
  transcriptId: string;

  @Column({ name: 'build_session_id', type: 'text', nullable: true })
  buildSessionId: string | null;

  @Column({ name: 'actor_id', type: 'text' })
  actorId: string;

  @Column({ name: 'client', type: 'text' })
  client: string;

  @Column({ name: 'version_generation', type: 'bigint', nullable: true })
  versionGeneration: string | null;

  @Column({ name: 'version_complete_bytes', type: 'bigint', nullable: true })
  versionCompleteBytes: string | null;

  @Column({ name: 'version_records', type: 'bigint', nullable: true })
  versionRecords: string | null;

  @Column({ name: 'report', type: 'jsonb' })
  report: Record<string, unknown>;

  @Column({ name: 'reported_at', type: 'timestamptz', precision: 3 })
  reportedAt: Date;

  @Column({ name: 'project_id', type: 'text', nullable: true })
  projectId: string | null;

  @Column({ name: 'parent_transcript_id', type: 'text', nullable: true })
  parentTranscriptId: string | null;

  @Column({ name: 'first_at', type: 'timestamptz', precision: 3, nullable: true })
  firstAt: Date | null;

  @Column({ name: 'last_at', type: 'timestamptz', precision: 3, nullable: true })
  lastAt: Date | null;

  @Column({ name: 'is_estimated', type: 'boolean' })
  isEstimated: boolean;

  @Column({ name: 'has_responses', type: 'boolean' })
  hasResponses: boolean;
}
