import { catalogue } from '@perdure/contracts';
import { createDataSource, findCredential, touchCredentials } from '@perdure/store';
import { createTestInstallation, type TestInstallation, type TestWorkspace } from '@perdure/testkit';
import type { DataSource } from 'typeorm';
import { AccessChanges } from './access-changes.js';
import { LastUses } from './last-uses.js';

const { access } = catalogue;

describe('last uses', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let dataSource: DataSource;

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
    dataSource = await createDataSource({
      url: installation.database.appUrl,
      poolSize: 1,
      applicationName: 'perdure-uses',
    });
  });
  afterAll(async () => {
    await dataSource.destroy();
    await installation.close();
  });

  const lastUse = async (credentialId: string) => {
    const { items } = await installation.call(access.listCredentials, workspace.owner, {});
    return items.find(({ id }) => id === credentialId)?.last_used_at;
  };
  /** Later than any real use. */
  const at = (time: string) => new Date(`2099-11-30T${time}Z`);

  it('I2: uses are gathered, one write per credential and minute, and written at the end', async () => {
    const [one, two] = [await workspace.actor('one'), await workspace.actor('two')];
    await installation.operations.close(); // what being issued used
    const ids = [one.caller.credentialId, two.caller.credentialId] as const;
    let writes = 0;
    const counted = new Proxy(dataSource, {
      get: (target, key) =>
        key === 'query'
          ? (sql: string, parameters: unknown[]) => {
              writes += 1;
              return target.query(sql, parameters);
            }
          : Reflect.get(target, key),
    });
    const uses = new LastUses({ dataSource: counted, onError: (error) => expect(error).toBeUndefined() });
    for (let second = 10; second < 60; second += 1) for (const id of ids) uses.note(id, at(`23:00:${second}`));
    await uses.flush();
    expect(writes).toBe(1);
    expect(await lastUse(ids[0])).toBe('2099-11-30T23:00:10.000Z');
    uses.note(ids[0], at('23:01:09'));
    await uses.flush();
    expect(writes).toBe(1);
    uses.note(ids[0], at('23:01:10'));
    await uses.flush();
    expect([writes, await lastUse(ids[0])]).toEqual([2, '2099-11-30T23:01:10.000Z']);
    // Another process that is behind.
    await touchCredentials(dataSource, new Map([[ids[0], at('23:00:30')]]));
    expect(await lastUse(ids[0])).toBe('2099-11-30T23:01:10.000Z');
  });

  it('I2: a write that fails is told and made up for; noting never throws', async () => {
    const { caller } = await workspace.actor('three');
    const faults: unknown[] = [];
    const uses = new LastUses({ dataSource, onError: (error) => faults.push(error) });
    const query = dataSource.query;
    dataSource.query = () => Promise.reject(new Error('gone'));
    uses.note(caller.credentialId, at('23:00:10'));
    await uses.flush();
    dataSource.query = query;
    expect(faults).toHaveLength(1);
    uses.note(caller.credentialId, at('23:00:11'));
    await uses.flush();
    expect(await lastUse(caller.credentialId)).toBe('2099-11-30T23:00:11.000Z');
  });

  it('I2: a last use is no change of access: caches keep the credential', async () => {
    const { caller } = await workspace.actor('four');
    const changes = new AccessChanges(dataSource, () => 0);
    await changes.areKnown();
    const told: string[] = [];
    changes.onChange(({ credentials }) => told.push(...credentials));
    await touchCredentials(dataSource, new Map([[caller.credentialId, at('23:30:00')]]));
    changes.lookNext();
    await changes.areKnown();
    expect(told).not.toContain(caller.credentialId);
    expect((await findCredential(dataSource, caller.credentialId))?.revoked_at).toBeNull();
  });
});
