import { type AccessChange, type CredentialRow, findCredential } from '@perdure/store';
import type { DataSource } from 'typeorm';
import type { AccessChanges } from './access-changes.js';
import { LeastRecentlyUsed } from './least-recently-used.js';

/** Some 1 kB each. */
const KEPT = 10_000;
/** Ids that nobody has: made-up tokens must neither ask the database each time nor push out the credentials in use. */
const UNKNOWN_KEPT = 1_000;
/** Read again now and then: a database that was put back to an earlier state counts its transactions anew. */
const KEPT_MS = 60_000;

interface Known {
  readonly row: CredentialRow;
  readonly until: number;
}

/** Credentials by their public id, as this process knows them; what changed is dropped within a second. */
export class CredentialCache {
  private readonly known = new LeastRecentlyUsed<string, Known>(KEPT);
  private readonly unknown = new LeastRecentlyUsed<string, number>(UNKNOWN_KEPT);
  private readonly underWay = new Map<string, Promise<CredentialRow | null>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: AccessChanges,
  ) {
    changes.onChange((change) => this.drop(change));
  }

  /**
   * The credential, whatever its state; null when there is none. Asks the database only for what is not cached.
   *
   * @throws DomainError `unavailable`
   */
  async find(id: string): Promise<CredentialRow | null> {
    if (!(await this.changes.areKnown())) return (await findCredential(this.dataSource, id)) ?? null;
    const known = this.known.get(id);
    if (known !== undefined && known.until > performance.now()) return known.row;
    if ((this.unknown.get(id) ?? 0) > performance.now()) return null;
    return this.readOnce(id);
  }

  /** One query for all who ask for the same credential at once. */
  private readOnce(id: string): Promise<CredentialRow | null> {
    const earlier = this.underWay.get(id);
    if (earlier !== undefined) return earlier;
    const reading = this.read(id).finally(() => this.underWay.delete(id));
    this.underWay.set(id, reading);
    return reading;
  }

  private async read(id: string): Promise<CredentialRow | null> {
    const generation = this.changes.generation;
    const row = (await findCredential(this.dataSource, id)) ?? null;
    // A look at the changes in between has told of those that this answer may lack: then it is not kept.
    if (generation === this.changes.generation) this.keep(id, row);
    return row;
  }

  private keep(id: string, row: CredentialRow | null): void {
    const until = performance.now() + KEPT_MS;
    if (row === null) this.unknown.set(id, until);
    else this.known.set(id, { row, until });
  }

  private drop({ credentials, members, workspaces }: AccessChange): void {
    for (const id of credentials) {
      this.known.delete(id);
      this.unknown.delete(id);
    }
    if (members.size === 0 && workspaces.size === 0) return;
    this.known.deleteWhere(
      ({ row }) => workspaces.has(row.workspace_id) || (row.member_id !== null && members.has(row.member_id)),
    );
  }
}
