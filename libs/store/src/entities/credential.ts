import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('credential')
export class CredentialEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  workspaceId: string;

  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  @Column({ name: 'actor_id', type: 'text' })
  actorId: string;

  @Column({ name: 'scopes', type: 'text', array: true })
  scopes: string[];

  @Column({ name: 'secret_digest', type: 'bytea' })
  secretDigest: Buffer;

  @Column({ name: 'prefix', type: 'text' })
  prefix: string;

  @Column({ name: 'last_four', type: 'text' })
  lastFour: string;

  @Column({ name: 'via', type: 'text' })
  via: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', precision: 3, nullable: true })
  revokedAt: Date | null;

  @Column({ name: 'member_id', type: 'text', nullable: true })
  memberId: string | null;

  @Column({ name: 'rotated_at', type: 'timestamptz', precision: 3, nullable: true })
  rotatedAt: Date | null;

  @Column({ name: 'previous_secret_digest', type: 'bytea', nullable: true })
  previousSecretDigest: Buffer | null;

  @Column({ name: 'previous_expires_at', type: 'timestamptz', precision: 3, nullable: true })
  previousExpiresAt: Date | null;
}
