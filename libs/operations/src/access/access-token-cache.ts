import { type AccessTokenRow, findAccessToken } from '@perdure/store';
import type { DataSource } from 'typeorm';
import type { AccessChanges } from './access-changes.js';
import { LeastRecentlyUsed } from './least-recently-used.js';

const KEPT = 10_000;
/** Read again now and then, as credentials are. */
const KEPT_MS = 60_000;

interface Known {
  readonly row: AccessTokenRow | null;
  readonly until: number;
}

/**
 * Access tokens by their digest, as this process knows them; those of a credential that changed are dropped within a
 * second. A digest that nobody has is remembered too: no token with it can come later.
 */
export class AccessTokenCache {
  private readonly known = new LeastRecentlyUsed<string, Known>(KEPT);

  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: AccessChanges,
  ) {
    changes.onChange(({ credentials }) => {
      if (credentials.size > 0) this.known.deleteWhere(({ row }) => row !== null && credentials.has(row.credential_id));
    });
  }

  /** @throws DomainError `unavailable` */
  async find(digest: Buffer): Promise<AccessTokenRow | null> {
    if (!(await this.changes.areKnown())) return (await findAccessToken(this.dataSource, digest)) ?? null;
    const key = digest.toString('base64');
    const known = this.known.get(key);
    if (known !== undefined && known.until > performance.now()) return known.row;
    const generation = this.changes.generation;
    const row = (await findAccessToken(this.dataSource, digest)) ?? null;
    // A look at the changes in between has told of those that this answer may lack: then it is not kept.
    if (generation === this.changes.generation) this.known.set(key, { row, until: performance.now() + KEPT_MS });
    return row;
  }
}
