import { catalogue } from '@perdure/contracts';
import { createDataSource } from '@perdure/store';
import { createTestInstallation, type TestInstallation, type TestWorkspace } from '@perdure/testkit';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { AccessChanges } from './access-changes.js';
import { AccessTokenCache } from './access-token-cache.js';
import { callerOfCredential, createAuthenticate } from './authenticate.js';
import { CredentialCache } from './credential-cache.js';
import { LastUses } from './last-uses.js';
import { LeastRecentlyUsed } from './least-recently-used.js';
import { mintToken } from './token.js';

const { access } = catalogue;

/** Another process, as far as credentials go: a pool and a cache of its own, on a clock that stands until it is moved. */
interface OtherProcess {
  readonly authenticate: ReturnType<typeof createAuthenticate>;
  readonly credentials: CredentialCache;
  readonly changes: AccessChanges;
  readonly dataSource: DataSource;
  /** Statements that were sent to Postgres. */
  readonly queries: string[];
  later: (milliseconds: number) => void;
}

describe('the cache of credentials', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  const opened: DataSource[] = [];

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
  });
  afterAll(async () => {
    for (const dataSource of opened) await dataSource.destroy();
    await installation.close();
  });

  async function otherProcess(): Promise<OtherProcess> {
    const dataSource = await createDataSource({
      url: installation.database.appUrl,
      poolSize: 2,
      applicationName: 'perdure-other',
    });
    opened.push(dataSource);
    const queries: string[] = [];
    const send = dataSource.query.bind(dataSource);
    dataSource.query = (sql: string, parameters?: unknown[]) => {
      queries.push(sql);
      return send(sql, parameters);
    };
    let elapsed = 0;
    const changes = new AccessChanges(dataSource, () => elapsed);
    const credentials = new CredentialCache(dataSource, changes);
    const lastUses = new LastUses({ dataSource, onError: () => undefined });
    const accessTokens = new AccessTokenCache(dataSource, changes);
    const clock = () => new Date();
    const authenticate = createAuthenticate({ credentials, accessTokens, lastUses, clock, audience: null });
    const later = (milliseconds: number) => (elapsed += milliseconds);
    return { authenticate, credentials, changes, dataSource, queries, later };
  }

  const revoke = (credentialId: string) =>
    installation.call(access.revokeCredential, workspace.owner, { credential_id: credentialId, reason: 'leaked' });

  it('I2: a thousand requests ask the database twice: what changed, and once for the credential', async () => {
    const { token } = await workspace.actor('busy');
    const { authenticate, queries } = await otherProcess();
    for (let request = 0; request < 1_000; request += 1) expect(await authenticate(token)).not.toBeNull();
    expect(queries).toHaveLength(2);
  });

  it('I2: a hundred requests at once for a credential that is not known yet are one look-up', async () => {
    const { token } = await workspace.actor('crowd');
    const { authenticate, queries } = await otherProcess();
    await Promise.all(Array.from({ length: 100 }, () => authenticate(token)));
    expect(queries.filter((sql) => sql.includes('perdure_credential('))).toHaveLength(1);
  });

  it('I2: 900 ms after a revocation no process lets the credential in, and by then at the latest', async () => {
    const { token, caller } = await workspace.actor('gone');
    const other = await otherProcess();
    expect(await other.authenticate(token)).not.toBeNull();
    await revoke(caller.credentialId);
    other.later(900);
    expect(await other.authenticate(token)).toBeNull();
  });

  it('I2: the process that revoked lets it in no more, from the answer on', async () => {
    const { token, caller } = await workspace.actor('gone at once');
    expect(await installation.operations.authenticate(token)).not.toBeNull();
    await revoke(caller.credentialId);
    expect(await installation.operations.authenticate(token)).toBeNull();
  });

  it('I2: under load the next look is made beside the requests, and nobody waits for it', async () => {
    const { token } = await workspace.actor('steady');
    const other = await otherProcess();
    await other.authenticate(token);
    const before = other.changes.generation;
    other.later(500);
    expect(await other.authenticate(token)).not.toBeNull();
    expect(other.changes.generation).toBe(before);
    while (other.changes.generation === before) await new Promise((resolve) => setImmediate(resolve));
    expect(other.queries).toHaveLength(3);
  });

  it('I2: a revocation that commits late is seen, though others have committed since', async () => {
    const { token, caller } = await workspace.actor('late');
    const { caller: early } = await workspace.actor('early');
    const other = await otherProcess();
    await other.authenticate(token);
    const slow = new Client({ connectionString: installation.database.superuserUrl });
    await slow.connect();
    await slow.query('BEGIN');
    await slow.query('UPDATE credential SET revoked_at = now() WHERE id = $1', [caller.credentialId]);
    await revoke(early.credentialId);
    other.later(900);
    expect(await other.authenticate(token)).not.toBeNull();
    await slow.query('COMMIT');
    await slow.end();
    other.later(900);
    expect(await other.authenticate(token)).toBeNull();
  });

  it('I2: an answer that a look at the changes overtook is not kept', async () => {
    const { token, caller } = await workspace.actor('overtaken');
    const other = await otherProcess();
    await other.changes.areKnown();
    const send = other.dataSource.query;
    other.dataSource.query = async <Rows>(sql: string, parameters?: unknown[]) => {
      const rows = await send<Rows>(sql, parameters);
      if (!sql.includes('perdure_credential(')) return rows;
      // The row is read; before it arrives, the credential is revoked and the process hears of it.
      other.dataSource.query = send;
      await revoke(caller.credentialId);
      other.later(900);
      await other.changes.areKnown();
      return rows;
    };
    await other.authenticate(token);
    expect(await other.authenticate(token)).toBeNull();
  });

  it('I2: connections that broke let nobody in who was revoked meanwhile', async () => {
    const { token, caller } = await workspace.actor('behind a cut line');
    const other = await otherProcess();
    await other.authenticate(token);
    const admin = new Client({ connectionString: installation.database.superuserUrl });
    await admin.connect();
    await revoke(caller.credentialId);
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'perdure-other'`,
    );
    await admin.end();
    other.later(900);
    // Until the pool has found out which of its connections are gone.
    const ask = () => other.authenticate(token).catch((error: { code: string }) => error.code);
    let outcome = await ask();
    while (outcome === 'unavailable') outcome = await ask();
    expect(outcome).toBeNull();
  });

  it('I2: while the database is away, nothing is trusted beyond its time', async () => {
    const { token } = await workspace.actor('patient');
    const other = await otherProcess();
    await other.authenticate(token);
    other.dataSource.query = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    other.later(899);
    expect(await other.authenticate(token)).not.toBeNull();
    other.later(1);
    await expect(other.authenticate(token)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('I2: a made-up token with a right checksum asks once, and many of them push out no credential', async () => {
    const { token } = await workspace.actor('in use');
    const other = await otherProcess();
    await other.authenticate(token);
    const made = Array.from(
      { length: 1_500 },
      (_, index) => mintToken(`01K5ZQ8W3M9X7B2C4D6E8F${String(index).padStart(4, '0')}`).token,
    );
    const [first = ''] = made;
    for (let attempt = 0; attempt < 50; attempt += 1) expect(await other.authenticate(first)).toBeNull();
    expect(other.queries).toHaveLength(3);
    for (const one of made) await other.authenticate(one);
    const asked = other.queries.length;
    expect(await other.authenticate(token)).not.toBeNull();
    expect(other.queries).toHaveLength(asked);
  });

  it('I2: a wrong secret for a known credential asks nobody', async () => {
    const { token, caller } = await workspace.actor('guessed at');
    const other = await otherProcess();
    await other.authenticate(token);
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(await other.authenticate(mintToken(caller.credentialId).token)).toBeNull();
    }
    expect(other.queries).toHaveLength(2);
  });

  it('I4: another role holds for what a member is signed in with, on every process', async () => {
    const { member } = await installation.call(access.inviteMember, workspace.owner, {
      email: 'grace@example.com',
      role: 'admin',
    });
    const other = await otherProcess();
    const admin = new Client({ connectionString: installation.database.superuserUrl });
    await admin.connect();
    const { caller } = await workspace.actor('grace’s client');
    await admin.query(`UPDATE member SET status = 'active', joined_at = now() WHERE id = $1`, [member.id]);
    await admin.query('UPDATE credential SET member_id = $2 WHERE id = $1', [caller.credentialId, member.id]);
    await admin.end();
    const scopesNow = async () => {
      const row = await other.credentials.find(caller.credentialId);
      return row === null ? null : callerOfCredential(caller.credentialId, row, new Date())?.scopes;
    };
    expect(await scopesNow()).toContain('backlog:write');
    await installation.call(access.changeMemberRole, workspace.owner, { member_id: member.id, role: 'viewer' });
    other.later(900);
    expect(await scopesNow()).not.toContain('backlog:write');
    expect(await scopesNow()).toContain('backlog:read');
    await installation.call(access.removeMember, workspace.owner, { member_id: member.id, reason: 'left' });
    other.later(900);
    expect(await scopesNow()).toBeUndefined();
  });
});

describe('least recently used', () => {
  it('holds so many entries at most; asking for one keeps it', () => {
    const cache = new LeastRecentlyUsed<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.size]).toEqual([1, undefined, 3, 2]);
    cache.deleteWhere((value) => value === 3);
    cache.delete('a');
    expect(cache.size).toBe(0);
  });
});
