import { remoteIdentity } from './remote-identity.js';

it.each([
  'git@forge.example.com:acme/shop.git',
  'forge.example.com:acme/shop',
  'ssh://git@forge.example.com:2222/acme/shop.git',
  'https://forge.example.com/acme/shop',
  'https://user:secret@forge.example.com/Acme/Shop.git/',
  'http://forge.example.com:3000/acme/shop',
  'git://forge.example.com/acme/shop.git',
])('C2: %s is forge.example.com/acme/shop', (remote) => {
  expect(remoteIdentity(remote)).toBe('forge.example.com/acme/shop');
});

it.each([
  '/srv/git/shop.git',
  '../shop',
  'file:///srv/git/shop.git',
  'C:\\git\\shop',
  'C:/git/shop',
  '',
  'https://forge.example.com/',
])('C2: %p has no host that two computers share', (remote) => {
  expect(remoteIdentity(remote)).toBeNull();
});
