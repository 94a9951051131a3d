import { createLogger } from './logger.js';

const SECRET = 'c4n4ry';

function capture(level: 'info' | 'debug' = 'info') {
  const lines: string[] = [];
  const logger = createLogger({ app: 'api', level }, { write: (line) => void lines.push(line) });
  const last = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>; // pino writes objects
  return { lines, logger, last };
}

describe('createLogger', () => {
  it('O4: writes one JSON line with ISO time, level name and app', () => {
    const { lines, logger, last } = capture();
    logger.info({ count: 3 }, 'linked');
    logger.debug('not at this level');
    expect(lines).toHaveLength(1);
    expect(last()).toMatchObject({ level: 'info', app: 'api', msg: 'linked', count: 3 });
    expect(last()['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('O4: stays one line whatever is in it', () => {
    const { lines, logger } = capture();
    logger.info({ agent: 'x\n{"level":"fatal"}' }, 'a\r\nb');
    expect(lines[0]?.trimEnd().split('\n')).toHaveLength(1);
  });

  it.each([
    ['authorization', { authorization: `Basic ${SECRET}` }],
    ['a header', { req: { headers: { authorization: `Basic ${SECRET}`, cookie: SECRET, 'set-cookie': [SECRET] } } }],
    ['fields named secret, token and password', { a: { secret: SECRET }, b: { token: SECRET }, password: SECRET }],
    ['a field four levels deep', { a: { b: { c: { d: { Token: `a"\\${SECRET}` } } } } }],
    ['a DSN', { url: `postgres://app:${SECRET}@db/perdure` }],
    ['a DSN whose password holds an @', { url: `postgres://app:p@${SECRET}@db/perdure` }],
    ['a redis url', { nested: { deep: { deeper: { url: `rediss://:${SECRET}@cache` } } } }],
    ['a credential', { text: `sent prd_live_${SECRET}_0123 to` }],
    ['a bearer token', { text: `Authorization: Bearer ${SECRET}${SECRET}` }],
    ['an error', { err: new Error(`cannot reach postgres://app:${SECRET}@db/perdure`) }],
    ['the cause of an error', { err: new Error('outer', { cause: new Error(`prd_${SECRET}`) }) }],
    [
      'an error in a field of its own',
      { failure: { reason: new Error(`x ${SECRET}`).name, url: `http://u:${SECRET}@h` } },
    ],
  ])('O4: hides %s', (_what, fields) => {
    const { lines, logger } = capture();
    logger.info(fields, 'line');
    expect(lines[0]).not.toContain(SECRET);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'line' });
  });

  it('O4: hides secrets in the message, and in an error logged alone with its stack', () => {
    const { lines, logger, last } = capture();
    logger.info(`connected to redis://u:${SECRET}@cache:6379/0 as prd_${SECRET}`);
    expect(last()['msg']).toBe('connected to redis://u:***@cache:6379/0 as prd_***');
    logger.error(new Error(`postgres://u:${SECRET}@db`));
    expect(lines.join('')).not.toContain(SECRET);
    expect(lines.at(-1)).toContain('logger.spec');
  });

  it('leaves ordinary text alone', () => {
    const { logger, last } = capture();
    const text = 'GET https://example.com:8080/a from someone@example.com, 12:30';
    logger.info({ text }, text);
    expect(last()).toMatchObject({ text, msg: text });
  });
});
