import {
  clientMetadataHosts,
  oidcClientSecret,
  oidcGroups,
  oidcGroupsClaim,
  oidcIssuer,
  oidcScope,
} from './authorization-settings.js';
import { readConfig } from './read-config.js';

const SETTINGS = {
  hosts: clientMetadataHosts(),
  issuer: oidcIssuer(),
  secret: oidcClientSecret(),
  scope: oidcScope(),
  claim: oidcGroupsClaim(),
  groups: oidcGroups(),
};

const read = (env: Record<string, string>) => readConfig(SETTINGS, env).config;

test('I4: without any of them people sign in by link, and every public host may describe a client', () => {
  expect(read({})).toEqual({
    hosts: null,
    issuer: null,
    secret: null,
    scope: 'openid email profile',
    claim: 'groups',
    groups: [],
  });
});

test('I4: groups stand for roles in workspaces; a group may hold any character but a comma', () => {
  const PERDURE_OIDC_GROUPS = 'platform=acme:admin, CN=Dev Team/West=acme-2:viewer ,';
  expect(read({ PERDURE_OIDC_GROUPS }).groups).toEqual([
    { group: 'platform', workspaceSlug: 'acme', role: 'admin' },
    { group: 'CN=Dev Team/West', workspaceSlug: 'acme-2', role: 'viewer' },
  ]);
});

test.each([
  ['PERDURE_OIDC_GROUPS', 'platform=acme:king'],
  ['PERDURE_OIDC_GROUPS', 'platform'],
  ['PERDURE_OIDC_ISSUER', 'http://login.example.com'],
  ['PERDURE_OIDC_ISSUER', 'login.example.com'],
  ['PERDURE_OIDC_SCOPE', 'email profile'],
  ['PERDURE_CLIENT_METADATA_HOSTS', 'https://claude.ai'],
])('O7: %s=%s is refused by name', (variable, value) => {
  expect(() => read({ [variable]: value })).toThrow(variable);
});

test('I3: `none` is a list of no hosts, which is not the same as no list', () => {
  expect(read({ PERDURE_CLIENT_METADATA_HOSTS: 'none' }).hosts).toEqual([]);
});

test('I3: hosts are taken with their port, in any case', () => {
  expect(read({ PERDURE_CLIENT_METADATA_HOSTS: 'Claude.ai, [::1]:8443,localhost:1' }).hosts).toEqual([
    'claude.ai',
    '[::1]:8443',
    'localhost:1',
  ]);
});
