import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('audit_event')
export class AuditEventEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  workspaceId: string;

  @PrimaryColumn({ name: 'event_id', type: 'text' })
  eventId: string;

  @Column({ name: 'v', type: 'int' })
  v: number;

  @Column({ name: 'type', type: 'text' })
  type: string;

  @Column({ name: 'at', type: 'text' })
  at: string;

  @Column({ name: 'actor_ref', type: 'text' })
  actorRef: string;

  @Column({ name: 'subject_type', type: 'text' })
  subjectType: string;

  @Column({ name: 'subject_id', type: 'text' })
  subjectId: string;

  @Column({ name: 'payload_digest', type: 'bytea' })
  payloadDigest: Buffer;

  @Column({ name: 'event_digest', type: 'bytea' })
  eventDigest: Buffer;
}
