import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('project')
export class ProjectEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  workspaceId: string;

  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  @Column({ name: 'slug', type: 'text' })
  slug: string;

  @Column({ name: 'name', type: 'text' })
  name: string;

  @Column({ name: 'repository_urls', type: 'text', array: true })
  repositoryUrls: string[];

  @Column({ name: 'attributes', type: 'jsonb' })
  attributes: Record<string, string>;

  @Column({ name: 'status', type: 'text' })
  status: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
