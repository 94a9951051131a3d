import { diceOf } from '../testing/made-tokens.js';
import { LOOK_ALIKES, SECRET_CASES, secretOf } from '../testing/secret-cases.js';
import { base62Checksum } from './checksums.js';
import { detectSecret } from './detect-secret.js';

const ULID = '01K5ZQ8W3M9X7B2C4D6E8F0G1H';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const random = (length: number, seed: number): string => {
  const dice = diceOf(seed);
  return Array.from({ length }, () => BASE62[dice(62)] ?? '').join('');
};

function ownToken(environment: string): string {
  const body = `prd_${environment}_${ULID}_${random(43, 7)}`;
  return body + base62Checksum(body);
}

const githubToken = (): string => {
  const body = random(30, 11);
  return `ghp_${body}${base62Checksum(body)}`;
};

describe('detectSecret', () => {
  it.each(SECRET_CASES)('L4: finds $id where it stands', (one) => {
    const secret = secretOf(one);
    const found = detectSecret(one.before + secret + one.after);
    expect(found).not.toBeNull();
    if (found === null) return;
    expect(found.kind).toMatch(/^[a-z][a-z0-9_]+$/);
    expect(found.offset).toBeGreaterThanOrEqual(one.before.length);
    expect(found.offset + found.length).toBeLessThanOrEqual(one.before.length + secret.length);
    // The part that must not be stored is inside: at least ten characters of it.
    expect(found.length).toBeGreaterThanOrEqual(10);
  });

  it.each(SECRET_CASES)('L4: finds $id in the middle of a long note', (one) => {
    const note = `${'Moved the lease check before the write. '.repeat(400)}\n`;
    const found = detectSecret(note + one.before + secretOf(one) + one.after + '\n' + note);
    expect(found?.offset).toBeGreaterThanOrEqual(note.length + one.before.length);
  });

  it.each(LOOK_ALIKES)('L4: lets $id through', ({ text }) => {
    expect(detectSecret(text)).toBeNull();
  });

  it('L4: lets all look-alikes through in one text', () => {
    expect(detectSecret(LOOK_ALIKES.map(({ text }) => text).join('\n\n'))).toBeNull();
  });

  it.each(['live', 'test', 'access', 'refresh', 'link', 'session'])(
    'L4, I2: finds an own %s credential, and only with its checksum right',
    (environment) => {
      const token = ownToken(environment);
      expect(detectSecret(`PERDURE_TOKEN=${token}\n`)).toEqual({
        kind: 'perdure_credential',
        offset: 'PERDURE_TOKEN='.length,
        length: token.length,
      });
      const wrong = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
      expect(detectSecret(`see ${wrong} in the log`)).toBeNull();
    },
  );

  it('L4: a GitHub token with a wrong checksum is a made-up one', () => {
    const token = githubToken();
    expect(detectSecret(token)?.kind).toBe('github_pat_classic');
    expect(detectSecret(token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'))).toBeNull();
  });

  it('L4: refuses a password in the userinfo of an address', () => {
    const url = ['https://deploy:', 'hunter2', 'hunter2', '@github.com/a/b/pull/1'].join('');
    expect(detectSecret(url)).toEqual({ kind: 'url_password', offset: 15, length: 14 });
  });

  it.each([
    'http://user:pass@example.com',
    'postgres://postgres:postgres@localhost:5432/app',
    'redis://:password@127.0.0.1:6379',
    'amqp://guest:guest@rabbit',
    'https://user:p%40ssw0rd@host',
    'mysql://root:my-secret-pw@db',
    'https://<user>:<token>@git.example.org',
    'https://$USER:$TOKEN@git.example.org',
    'http://[::1]:8080/a@b',
    'see https://host:8443, mail me@example.org',
  ])('L4: %s shows where a password goes, not one', (text) => {
    expect(detectSecret(text)).toBeNull();
  });

  it.each([
    ['a line break escaped in JSON', '{"log":"ok\\n', '\\n"}'],
    ['a percent escape', 'https://host/?next%3D', '&x'],
    ['a colour of the terminal', '\u001b[32m', '\u001b[0m'],
    ['backticks', 'use `', '`.'],
    ['a table', '| token | ', ' |'],
    ['full-width text', '令牌：', '。'],
  ])('L4: finds a token after %s', (_label, before, after) => {
    const token = githubToken();
    expect(detectSecret(before + token + after)).toEqual({
      kind: 'github_pat_classic',
      offset: before.length,
      length: token.length,
    });
  });

  it('L4: counts offsets in UTF-16 code units', () => {
    expect(detectSecret(`🦊🦊 ${githubToken()}`)?.offset).toBe('🦊🦊 '.length);
    expect('🦊🦊 ').toHaveLength(5);
  });

  it('L4: names a token for its form, not for the word before it', () => {
    expect(detectSecret(`password=${githubToken()}`)?.kind).toBe('github_pat_classic');
  });

  it('L4: the answer holds a kind and two numbers, nothing of the value', () => {
    const found = detectSecret(`key ${githubToken()}`);
    expect(Object.entries(found ?? {}).map(([key, value]) => [key, typeof value])).toEqual([
      ['kind', 'string'],
      ['offset', 'number'],
      ['length', 'number'],
    ]);
  });

  it.each([
    ['an option', '--password ', ' --host db'],
    ['YAML', 'db:\n  password: ', '\n'],
    ['JSON', '{"client_secret": "', '"}'],
    ['TypeScript', "const apiKey = '", "';"],
    ['a header', 'X-API-Key: ', '\n'],
    ['an escaped quote', '{"body":"{\\"token\\":\\"', '\\"}"}'],
    ['curl', "curl -u 'deploy:", "' https://api.example.com"],
  ])('L4: finds a generated value by its name in %s', (_label, before, after) => {
    const value = `${random(9, 3)}-${random(9, 5)}`;
    expect(detectSecret(before + value + after)).toMatchObject({ offset: before.length, length: value.length });
  });

  it.each([
    'const token = nextToken1(stream, Position2);',
    'accessKeyId: env.S3_EVENT_UPLOAD_ACCESS_KEY_ID2,',
    'type ArrowToken = ArrowToken$1;',
    'next_page_token: "CAUQAAxYz81Kq3Zt90aB"',
    'password_hash=JDJiJDEyJDd4RzFhQmNEZUZn',
    'API_KEY=01K5ZQ8W3M9X7B2C4D6E8F0G1',
    'secret: sha256-1JpOMxzcLL3p/AUFKgVNJycJ+wO4aOu=',
    'token_path: ~/.config/App2/Token3/File4',
    'SECRET_KEY=test-secret-Key-1234567',
    'if (password === Expected2Password3Value) {',
  ])('L4: %s is no secret', (text) => {
    expect(detectSecret(text)).toBeNull();
  });

  it.each([
    'password=',
    '://a:',
    'http://u:password@h ',
    '-glpat-',
    ' eyJ',
    '.eyJaaaaaaaa',
    'bearer ',
    '-----BEGIN RSA PRIVATE KEY-----\n',
  ])('L4: a text of nothing but %s is read to its end', (piece) => {
    const text = piece.repeat(Math.ceil(32_768 / piece.length));
    expect(detectSecret(text)).toBeNull();
    expect(detectSecret(`${text} ${githubToken()}`)).not.toBeNull();
  });

  it.each(['', ' ', 'x'.repeat(11), '\ud83d'.repeat(40)])('L4: has nothing to say about %j', (text) => {
    expect(detectSecret(text)).toBeNull();
  });
});
