import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('audit_entry')
export class AuditEntryEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  workspaceId: string;

  @PrimaryColumn({ name: 'seq', type: 'bigint' })
  seq: string;

  @Column({ name: 'event_id', type: 'text' })
  eventId: string;

  @Column({ name: 'event_digest', type: 'bytea' })
  eventDigest: Buffer;

  @Column({ name: 'prev_hash', type: 'bytea' })
  prevHash: Buffer;

  @Column({ name: 'entry_hash', type: 'bytea' })
  entryHash: Buffer;

  @Column({ name: 'linked_at', type: 'text' })
  linkedAt: string;
}
