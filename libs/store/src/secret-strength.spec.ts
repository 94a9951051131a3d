import { randomBytes } from 'node:crypto';
import { secretFault, secretFaults } from './secret-strength.js';

const good = () => randomBytes(24).toString('base64url');

test.each([
  ['', /fewer than 16/],
  ['s3cr3t-and-short', null],
  ['short-but-random', null],
  ['aB3$aB3$aB3$aB3$', /different/],
  ['please-change-me-now', /placeholder/],
  ['CHANGEME_CHANGEME_1', /placeholder/],
  ['<your password here>', /placeholder/],
  ['perdure-default-db-pw', /placeholder/],
  ['1234567890abcdefgh', /placeholder/],
])('O12: of %j it says %s', (secret, expected) => {
  if (expected === null) expect(secretFault(secret)).toBeNull();
  else expect(secretFault(secret)).toMatch(expected);
});

test('O12: a random secret passes', () => {
  expect(Array.from({ length: 1000 }, () => secretFault(good())).filter((fault) => fault !== null)).toEqual([]);
});

test('O12: two roles must not share a password, and no message repeats one', () => {
  const shared = good();
  const faults = secretFaults({ APP: shared, WRITER: good(), INGEST: shared, OWNER: 'changeme-changeme' });
  expect(faults).toEqual(['INGEST is the same as APP', 'OWNER looks like a placeholder']);
});
