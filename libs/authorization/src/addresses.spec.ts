import { addressesOf } from './addresses.js';

test.each([
  ['https://perdure.example.com', 'https://perdure.example.com/mcp'],
  ['https://perdure.example.com/', 'https://perdure.example.com/mcp/'],
  ['https://PERDURE.example.com:443', 'https://perdure.example.com:443/mcp'],
])('RFC 8414: the issuer of %s has no trailing slash, its resource neither', (publicUrl, mcpUrl) => {
  const addresses = addressesOf(publicUrl, mcpUrl);
  expect(addresses).toMatchObject({
    issuer: 'https://perdure.example.com',
    basePath: '',
    resource: 'https://perdure.example.com/mcp',
    resourceMetadataUrl: 'https://perdure.example.com/.well-known/oauth-protected-resource/mcp',
    tokenEndpoint: 'https://perdure.example.com/oauth/token',
  });
});

test('RFC 9728: a path below the host is part of issuer and resource, and inserted into the metadata address', () => {
  expect(addressesOf('https://example.com/perdure/', 'https://mcp.example.com/a/b')).toMatchObject({
    issuer: 'https://example.com/perdure',
    basePath: '/perdure',
    resource: 'https://mcp.example.com/a/b',
    resourceMetadataUrl: 'https://mcp.example.com/.well-known/oauth-protected-resource/a/b',
    authorizationEndpoint: 'https://example.com/perdure/oauth/authorize',
  });
});

test('RFC 8707: clients spell the resource in these ways', () => {
  expect(addressesOf('http://127.0.0.1:7401', 'http://127.0.0.1:7401/mcp').resourceSpellings).toEqual([
    'http://127.0.0.1:7401/mcp',
    'http://127.0.0.1:7401/mcp/',
    'http://127.0.0.1:7401',
    'http://127.0.0.1:7401/',
  ]);
});
