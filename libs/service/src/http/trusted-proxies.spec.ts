import express from 'express';
import { readConfig } from '../config/read-config.js';
import { trustedProxies } from '../config/product-settings.js';
import { closeHttpServer } from './close-http-server.js';
import { listen, portOf } from './listen.js';

/** The client's address as an application sees it that trusts these proxies. */
async function addressSeen(trusted: string | undefined, forwardedFor: string): Promise<string> {
  const { config } = readConfig(
    { proxies: trustedProxies() },
    trusted === undefined ? {} : { PERDURE_TRUSTED_PROXIES: trusted },
  );
  const app = express().set('trust proxy', config.proxies);
  app.get('/', (request, response) => void response.send(String(request.ip)));
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  const answer = await fetch(`http://127.0.0.1:${portOf(server)}/`, { headers: { 'x-forwarded-for': forwardedFor } });
  const address = await answer.text();
  await closeHttpServer(server, 1_000);
  return address;
}

it.each([
  ['nobody by default: the header is whatever the client wrote', undefined, '203.0.113.7', '127.0.0.1'],
  ['a proxy named by its address', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['a proxy named by its network', '10.0.0.0/8, 127.0.0.0/8', '203.0.113.7', '203.0.113.7'],
  ['another proxy than the one that called', '10.0.0.0/8', '203.0.113.7', '127.0.0.1'],
  ['only the last address that no proxy of ours wrote', '127.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['a chain of proxies', '127.0.0.1,10.0.0.0/8', '203.0.113.7, 10.1.2.3', '203.0.113.7'],
])('G6: believes %s', async (_what, trusted, forwardedFor, expected) => {
  expect(await addressSeen(trusted, forwardedFor)).toBe(expected);
});

it.each(['true', '1', '10.0.0.0/33', '10.0.0', 'proxy.example.com', '::1/129'])(
  'G6: refuses %p, which would believe too much or nothing',
  (trusted) => {
    expect(() => readConfig({ proxies: trustedProxies() }, { PERDURE_TRUSTED_PROXIES: trusted })).toThrow(
      'PERDURE_TRUSTED_PROXIES',
    );
  },
);
