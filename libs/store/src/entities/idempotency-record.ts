import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('idempotency_record')
export class IdempotencyRecordEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  workspaceId: string;

  @PrimaryColumn({ name: 'actor_id', type: 'text' })
  actorId: string;

  @PrimaryColumn({ name: 'operation', type: 'text' })
  operation: string;

  @PrimaryColumn({ name: 'key', type: 'text' })
  key: string;

  @Column({ name: 'input_digest', type: 'bytea' })
  inputDigest: Buffer;

  @Column({ name: 'answer', type: 'text', nullable: true })
  answer: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
