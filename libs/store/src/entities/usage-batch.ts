import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('usage_batch')
export class UsageBatchEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  workspaceId: string;

  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  @Column({ name: 'batch_key', type: 'text' })
  batchKey: string;

  @Column({ name: 'actor_id', type: 'text' })
  actorId: string;

  @Column({ name: 'status', type: 'text' })
  status: string;

  @Column({ name: 'received_count', type: 'int' })
  receivedCount: number;

  @Column({ name: 'counts', type: 'jsonb', nullable: true })
  counts: Record<string, unknown> | null;

  @Column({ name: 'received_at', type: 'timestamptz', precision: 3 })
  receivedAt: Date;

  @Column({ name: 'applied_at', type: 'timestamptz', precision: 3, nullable: true })
  appliedAt: Date | null;

  @Column({ name: 'items_deleted_at', type: 'timestamptz', precision: 3, nullable: true })
  itemsDeletedAt: Date | null;
}
