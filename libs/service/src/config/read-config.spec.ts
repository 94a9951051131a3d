import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { ConfigError } from './config-error.js';
import {
  allowedOrigins,
  databaseUrl,
  environmentName,
  httpHost,
  httpPort,
  logLevel,
  poolSize,
  publicUrl,
  queueUrl,
} from './product-settings.js';
import { readConfig, type Environment } from './read-config.js';
import type { Setting } from './setting.js';

const settings = {
  database: databaseUrl('PERDURE_DATABASE_URL'),
  queue: queueUrl(),
  host: httpHost(),
  port: httpPort(4100),
  level: logLevel(),
  pool: poolSize(),
  environment: environmentName(),
  publicUrl: publicUrl(),
  origins: allowedOrigins(),
};

const complete: Environment = {
  PERDURE_DATABASE_URL: 'postgres://app:pw@db/perdure',
  PERDURE_QUEUE_URL: 'rediss://cache:6380/1',
};

function problemsOf(env: Environment): string {
  try {
    readConfig(settings, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('readConfig', () => {
  it('gives one typed object with the defaults', () => {
    const { config, warnings } = readConfig(settings, complete);
    expect(config).toEqual({
      database: 'postgres://app:pw@db/perdure',
      queue: 'rediss://cache:6380/1',
      host: '127.0.0.1',
      port: 4100,
      level: 'info',
      pool: 10,
      environment: 'development',
      publicUrl: null,
      origins: [],
    });
    expect(warnings).toEqual([]);
  });

  it('takes what is set', () => {
    const { config } = readConfig(settings, {
      ...complete,
      PERDURE_HTTP_HOST: '0.0.0.0',
      PERDURE_HTTP_PORT: '0',
      PERDURE_LOG_LEVEL: 'debug',
      PERDURE_POOL_SIZE: '25',
      PERDURE_ENV: 'production',
      PERDURE_PUBLIC_URL: 'https://perdure.example.com/',
      PERDURE_ALLOWED_ORIGINS: 'https://a.example, http://localhost:5173 ,',
    });
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 0,
      level: 'debug',
      pool: 25,
      environment: 'production',
      publicUrl: 'https://perdure.example.com',
      origins: ['https://a.example', 'http://localhost:5173'],
    });
  });

  it('O7: reports every problem at once, each with name, what was seen, what is expected and an example', () => {
    const lines = problemsOf({
      PERDURE_QUEUE_URL: 'amqp://cache',
      PERDURE_HTTP_PORT: '65536',
      PERDURE_LOG_LEVEL: 'loud',
      PERDURE_POOL_SIZE: '1e1',
      PERDURE_ENV: 'staging',
      PERDURE_PUBLIC_URL: 'example.com',
      PERDURE_ALLOWED_ORIGINS: 'https://a.example/path',
    }).split('\n');
    expect(lines).toHaveLength(8);
    expect(lines[0]).toBe(
      '  PERDURE_DATABASE_URL: not set; expected a Postgres url, special characters of the password percent-encoded, for example PERDURE_DATABASE_URL=postgres://role:password@127.0.0.1:5432/perdure',
    );
    for (const [index, seen] of ['"amqp://cache"', '"65536"', '"loud"', '"1e1"', '"staging"'].entries())
      expect(lines[index + 1]).toContain(`: ${seen}; expected `);
  });

  it.each([
    ['mysql://u:s3cret@h/x'],
    ['mysql://u:s3cret@@h/x?password=s3cret'],
    ['u:s3cret@h/x'],
    ['postgres://u:s3cret@h:port/x'],
    ['s3cret'],
  ])('O7: never prints the password of %s', (url) => {
    const text = problemsOf({ ...complete, PERDURE_DATABASE_URL: url });
    expect(text).toContain('PERDURE_DATABASE_URL: "');
    expect(text).not.toContain('s3cret');
  });

  it('O7: a secret is shown by its length alone', () => {
    const key: Setting<string> = {
      variable: 'PERDURE_SIGNING_KEY',
      schema: z.string().length(64).optional().pipe(z.string()),
      expected: '64 hex digits',
      example: 'ab…',
      shown: 'length',
    };
    expect(() => readConfig({ key }, { PERDURE_SIGNING_KEY: 's3cret' })).toThrow(
      /: a value of 6 characters; expected 64/,
    );
  });

  it('O7: an unknown variable is a warning, with the name that was probably meant', () => {
    const { warnings } = readConfig(settings, {
      ...complete,
      PERDURE_LOGLEVEL: 'debug',
      PERDURE_DATABSE_URL_FILE: '/x',
      PERDURE_SOMETHING_ELSE_ENTIRELY: '1',
      OTHER_LOGLEVEL: 'x',
      PERDURE_WRITER_DATABASE_URL: 'known, though not read here',
    });
    expect(warnings).toEqual([
      'PERDURE_LOGLEVEL is not known; did you mean PERDURE_LOG_LEVEL?',
      'PERDURE_DATABSE_URL_FILE is not known; did you mean PERDURE_DATABASE_URL_FILE?',
      'PERDURE_SOMETHING_ELSE_ENTIRELY is not known and has no effect',
    ]);
  });

  it('an empty variable is an unset one', () => {
    expect(readConfig(settings, { ...complete, PERDURE_LOG_LEVEL: '' }).config.level).toBe('info');
    expect(problemsOf({ ...complete, PERDURE_DATABASE_URL: '' })).toContain('PERDURE_DATABASE_URL: not set');
  });

  describe('with _FILE variables', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'perdure-config-'));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it('reads the value from the file, without the newline at its end', () => {
      const file = path.join(folder, 'url');
      writeFileSync(file, 'postgres://app:from-file@db/perdure\n');
      const { config } = readConfig(settings, {
        ...complete,
        PERDURE_DATABASE_URL: '',
        PERDURE_DATABASE_URL_FILE: file,
      });
      expect(config.database).toBe('postgres://app:from-file@db/perdure');
    });

    it('names a file that cannot be read, and a variable that is set twice', () => {
      const missing = path.join(folder, 'missing');
      expect(
        problemsOf({ PERDURE_QUEUE_URL: complete['PERDURE_QUEUE_URL'], PERDURE_DATABASE_URL_FILE: missing }),
      ).toContain(`PERDURE_DATABASE_URL: PERDURE_DATABASE_URL_FILE names ${missing}, which cannot be read (ENOENT)`);
      expect(problemsOf({ ...complete, PERDURE_DATABASE_URL_FILE: missing })).toContain('set twice');
    });
  });
});
