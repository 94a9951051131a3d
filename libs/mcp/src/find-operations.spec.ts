import { allOperations, SCOPE_PRESETS } from '@perdure/contracts';
import { findOperations, similarNames } from './find-operations.js';
import { callTool } from './call-tool.js';
import { ownTools } from './own-tools.js';
import { callAnswering, output } from './testing/fake-port.js';
import { operationArguments } from './tool.js';

const agent = new Set(SCOPE_PRESETS.agent);
const namesFor = (query: string, limit?: number) => findOperations(query, limit, agent).items.map(({ name }) => name);

describe('find_operations', () => {
  test.each([
    ['verify audit', 'verify_audit_chain'],
    ['credential', 'issue_credential'],
    ['who am I', 'who_am_i'],
    ['ending sessions', 'end_build_session'],
    ['PROJECTS list', 'list_projects'],
    ['decision log entry get', 'get_decision_log_entry'],
  ])('G3: "%s" finds %s first', (query, name) => {
    expect(namesFor(query)[0]).toBe(name);
  });

  test.each(allOperations.map(({ name }) => name))('G3: %s is found by its own name', (name) => {
    expect(namesFor(name)[0]).toBe(name);
    expect(similarNames(name)[0]).toBe(name);
  });

  test('G3: gives what a call needs: scope, whether it is held, and the arguments with their key of retries', () => {
    const [found] = findOperations('verify_audit_chain', 1, agent).items;
    expect(found).toMatchObject({ name: 'verify_audit_chain', scope: 'audit:read', allowed: false });
    const [ping] = findOperations('ping_build_session', 1, agent).items;
    expect(ping).toMatchObject({ allowed: true, input_schema: { properties: { idempotency_key: {} } } });
    for (const contract of allOperations) expect(operationArguments(contract)).toMatchObject({ type: 'object' });
  });

  test('G3: words that say nothing find nothing, and no query is a pattern', () => {
    expect(namesFor('zzz ... %_* ()+$ *')).toEqual([]);
    expect(namesFor('constructor __proto__')).toEqual([]);
  });

  test('G3: keeps to its limit and to 20 kB', () => {
    expect(namesFor('session', 2)).toHaveLength(2);
    const everything = allOperations.map(({ name }) => name).join(' ');
    const { items } = findOperations(everything, 200, agent);
    expect(items.length).toBeGreaterThan(5);
    expect(JSON.stringify(items).length).toBeLessThan(20_500);
  });

  test.each(ownTools.map(({ contract, example }) => [contract.name, example] as const))(
    'T2: the example of %s in the reference works',
    async (name, example) => {
      const { call, seen } = callAnswering(() => output({ items: [], next_cursor: null }));
      const result = await callTool(name, example, call);
      expect(result.isError).toBeUndefined();
      expect(result.structuredContent).toHaveProperty('items');
      expect(seen.map(({ operation }) => operation)).toEqual(name === 'run_operation' ? ['list_projects'] : []);
    },
  );

  test('G3: as a tool it needs no scope and never reaches the operations', async () => {
    const { call, seen } = callAnswering(() => output(), []);
    const result = await callTool('find_operations', { query: 'ping', limit: 1 }, call);
    expect(result.structuredContent).toMatchObject({ items: [{ name: 'ping_build_session' }], next_cursor: null });
    expect(seen).toEqual([]);
    const refused = await callTool('find_operations', { query: '', limit: 201 }, call);
    expect(refused.isError).toBe(true);
  });
});
