import { RequestLimits } from '@perdure/service';
import request from 'supertest';
import { apiAnswering } from './testing/api.js';

const WHO = '/trpc/access.whoAmI';
const bearer = { authorization: 'Bearer good' };

/** Counters of the test's own. */
function counters() {
  const totals = new Map<string, number>();
  return {
    add: async (key: string, count: number) => {
      const total = (totals.get(key) ?? 0) + count;
      totals.set(key, total);
      return { total, resetsInMs: 30_000 };
    },
  };
}

const limited = (perCredential: number) =>
  apiAnswering(
    ({ operation }) => ({ output: { operation }, replayed: false }),
    new RequestLimits({
      counts: counters(),
      onAway: () => undefined,
      perCredential,
      failuresPerAddress: 1,
      requestsPerAddress: null,
    }),
  );

/** At most what the counters said; less, on a machine that is slow. */
const SECONDS = expect.stringMatching(/^(?:[1-9]|[12]\d|30)$/);

const error = {
  kind: 'rate_limited',
  code: 'rate_limited',
  details: { limit_of: 'credential', limit: 1, window_seconds: 60, retry_after_seconds: expect.any(Number) },
};

test('G6: over REST a refusal says when to call again, and every answer what is left', async () => {
  const { app, seen } = limited(1);
  const served = await request(app).get('/v1/projects').set(bearer);
  expect(served.headers).toMatchObject({
    'ratelimit-policy': '"credential";q=1;w=60',
    ratelimit: expect.stringMatching(/^"credential";r=0;t=\d+$/),
  });
  const refused = await request(app).get('/v1/projects').set(bearer);
  expect([refused.status, refused.headers['retry-after'], refused.headers['ratelimit']]).toEqual([
    429,
    SECONDS,
    expect.stringMatching(/^"credential";r=0;t=\d+$/),
  ]);
  expect(refused.body).toMatchObject({ error });
  expect(seen).toHaveLength(1);
});

test('G6: over tRPC it stands where every refusal does, and REST counts with it', async () => {
  const { app } = limited(1);
  await request(app).get('/v1/projects').set(bearer);
  const refused = await request(app).get(WHO).set(bearer);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, SECONDS]);
  expect(refused.body).toMatchObject({ error: { data: { httpStatus: 429, perdure: error } } });
});

test('G6: a batch counts as the calls in it, and is served whole or not', async () => {
  const { app, seen } = limited(3);
  const two = '/trpc/access.whoAmI,projects.listProjects?batch=1&input={}';
  expect((await request(app).get(two).set(bearer)).status).toBe(200);
  expect((await request(app).get(two).set(bearer)).status).toBe(429);
  expect((await request(app).get(WHO).set(bearer)).status).toBe(200);
  expect(seen).toHaveLength(3);
});

test('G6: a batch larger than the limit learns that it never will be served', async () => {
  const refused = await request(limited(1).app)
    .get('/trpc/access.whoAmI,projects.listProjects?batch=1&input={}')
    .set(bearer);
  expect(refused.text).toContain('Send at most 1 calls in one request.');
});

test('G6: wrong tokens are counted by address, whichever door they try', async () => {
  const { app } = limited(5);
  const wrong = { authorization: 'Bearer wrong' };
  expect((await request(app).get('/v1/projects').set(wrong)).status).toBe(401);
  expect((await request(app).get(WHO).set(wrong)).status).toBe(429);
  expect((await request(app).get(WHO).set(bearer)).status).toBe(200);
});
