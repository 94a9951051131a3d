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
  status: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
