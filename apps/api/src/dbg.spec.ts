import request from 'supertest';
import { apiAnswering } from './testing/api.js';
test('x', async () => {
  const { app } = apiAnswering(() => ({ output: {}, replayed: false }));
  const r = await request(app).post('/trpc/sessions.pingBuildSession').set({ authorization: 'Bearer good', 'content-type': 'application/x-www-form-urlencoded' }).send('a=1');
  console.log(r.status, r.headers, r.text);
});
