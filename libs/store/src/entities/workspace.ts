import type { WorkspaceObject } from '@perdure/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('workspace')
export class WorkspaceEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  workspaceId: string;

  @Column({ name: 'kind', type: 'text' })
  kind: string;

  @Column({ name: 'slug', type: 'text' })
  slug: string;

  @Column({ name: 'name', type: 'text' })
  name: string;

  @Column({ name: 'status', type: 'text' })
  status: WorkspaceObject['status'];

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'delete_after', type: 'timestamptz', precision: 3, nullable: true })
  deleteAfter: Date | null;

  @Column({ name: 'quota_requests_per_minute', type: 'int', nullable: true })
  quotaRequestsPerMinute: number | null;

  /** TypeORM reads a bigint as text. */
  @Column({ name: 'quota_stored_bytes', type: 'bigint', nullable: true })
  quotaStoredBytes: string | null;

  @Column({ name: 'quota_build_sessions', type: 'int', nullable: true })
  quotaBuildSessions: number | null;

  @Column({ name: 'quota_usage_reports_per_day', type: 'int', nullable: true })
  quotaUsageReportsPerDay: number | null;

  @Column({ name: 'stored_bytes', type: 'bigint', nullable: true })
  storedBytes: string | null;

  @Column({ name: 'stored_bytes_measured_at', type: 'timestamptz', precision: 3, nullable: true })
  storedBytesMeasuredAt: Date | null;
}
