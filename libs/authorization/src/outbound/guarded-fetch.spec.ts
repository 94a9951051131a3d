import type { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createGuardedFetch, FetchRefused } from './guarded-fetch.js';

let server: Server;
let connections = 0;
let port = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo); // a listening TCP server has one
});
afterAll(() => server.close());

/** A name server that answers every name with these. */
const resolvingTo = (...addresses: readonly string[]) =>
  ((_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup; // the one overload that is used

// cases/mcp: cimd-ssrf-metadata-host
test.each([
  [['169.254.169.254']],
  [['127.0.0.1']],
  [['8.8.8.8', '127.0.0.1']],
  [['::1', '2606:4700::1111']],
  [['::ffff:10.0.0.1']],
])('I3: a name that resolves to %j is refused without a connection', async (addresses) => {
  const fetch = createGuardedFetch({ hosts: null, lookup: resolvingTo(...addresses) });
  await expect(fetch(`https://client.example:${port}/client.json`)).rejects.toThrow(FetchRefused);
  await expect(fetch(`https://client.example:${port}/client.json`)).rejects.not.toThrow(/\d+\.\d+|::/);
  expect(connections).toBe(0);
});

test('I3: the connection goes to the address that was looked at', async () => {
  // The name is looked up once; a second look, which could say something else, never happens.
  let looks = 0;
  const answer = resolvingTo('127.0.0.1');
  const counting = ((...call: Parameters<typeof lookup>) => {
    looks += 1;
    return answer(...call);
  }) as unknown as typeof lookup; // the same overload
  const fetch = createGuardedFetch({ hosts: ['client.example'], lookup: counting });
  // A host that the operator names is resolved by the system, private addresses included: no guard of ours sees it.
  await expect(fetch(`https://client.example:${port}/client.json`)).rejects.not.toThrow(FetchRefused);
  expect(looks).toBe(0);
  const guarded = createGuardedFetch({ hosts: null, lookup: counting });
  await expect(guarded(`https://client.example:${port}/client.json`)).rejects.toThrow(FetchRefused);
  expect(looks).toBe(1);
});

test.each(['http://client.example/client.json', 'ftp://client.example/', 'file:///etc/passwd', 'data:,{}'])(
  'I3: %s is not fetched',
  async (url) => {
    const fetch = createGuardedFetch({ hosts: null, lookup: resolvingTo('8.8.8.8') });
    await expect(fetch(url)).rejects.toThrow('only https is fetched');
  },
);

test('I3: with hosts named, no other is asked', async () => {
  const fetch = createGuardedFetch({ hosts: ['claude.ai', 'vscode.dev:8443'], lookup: resolvingTo('8.8.8.8') });
  for (const url of ['https://evil.example/', 'https://claude.ai.evil.example/', 'https://vscode.dev/'])
    await expect(fetch(url)).rejects.toThrow('not one that may be asked');
});
