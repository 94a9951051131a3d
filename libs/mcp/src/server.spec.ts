import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { findOperation } from '@perdure/contracts';
import { INSTRUCTIONS } from './instructions.js';
import { createToolServer, SERVER_INFO } from './server.js';
import { listedTools, parseToolSets } from './tool-list.js';
import { callAnswering, output, type SeenCall } from './testing/fake-port.js';

async function connected(respond: (seen: SeenCall) => ReturnType<typeof output> | Promise<ReturnType<typeof output>>) {
  const { call, seen } = callAnswering(respond);
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = createToolServer(call, parseToolSets(undefined));
  const client = new Client({ name: 'spec', version: '1' });
  await server.connect(serverSide);
  await client.connect(clientSide);
  return { client, seen };
}

describe('the server of one request', () => {
  test('G1: says who it is and when to call what', async () => {
    const { client } = await connected(() => output());
    expect(client.getServerVersion()).toMatchObject(SERVER_INFO);
    expect(client.getInstructions()).toBe(INSTRUCTIONS);
    await client.close();
  });

  test('G2: an answer that does not fit its declared schema is caught by the client, so ours must fit', async () => {
    const { client } = await connected(({ operation }) =>
      operation === 'ping_build_session' ? output({ build_session_id: 7 }) : output({ scopes: 'none' }),
    );
    await client.listTools();
    await expect(client.callTool({ name: 'ping_build_session', arguments: {} })).rejects.toThrow(/schema/);
    await client.close();
  });

  test('G6: a cancelled call aborts the signal that the operation works under', async () => {
    let signal: AbortSignal | undefined;
    const aborted = new Promise<void>((resolve) => {
      void connected(async ({ options }) => {
        signal = options.signal;
        await new Promise<void>((release) => {
          signal?.addEventListener('abort', () => release());
        });
        resolve();
        return output();
      }).then(async ({ client }) => {
        const cancel = new AbortController();
        const call = client.callTool({ name: 'who_am_i', arguments: {} }, { signal: cancel.signal });
        setImmediate(() => cancel.abort());
        await expect(call).rejects.toThrow();
      });
    });
    await aborted;
    expect(signal?.aborted).toBe(true);
  });
});

describe('the instructions', () => {
  test('G2: stay under the 2,048 characters at which clients cut them', () => {
    expect(INSTRUCTIONS.length).toBeLessThan(2_048);
  });

  test('G2: name only tools that exist, and those are in the default list', () => {
    const known = new Set(
      listedTools.filter(({ contract }) => contract.toolSet === 'core').map((t) => t.contract.name),
    );
    const named = INSTRUCTIONS.match(
      /\b(?:start|list|create|append|prepend|ping|end|get|find|run|link|record|claim|file|query|resume|update)_[a-z_]+\b/g,
    );
    expect(named?.length).toBeGreaterThan(8);
    for (const name of named ?? []) expect([name, known.has(name)]).toEqual([name, true]);
    expect(findOperation('start_build_session')?.summary).toMatch(/^Call first/);
  });
});

test('O3: the version told to clients is that of the package', () => {
  const manifest: unknown = JSON.parse(readFileSync(path.join(__dirname, '../package.json'), 'utf8'));
  expect(manifest).toMatchObject({ version: SERVER_INFO.version });
});
