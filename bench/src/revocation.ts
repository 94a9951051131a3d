import { catalogue } from '@perdure/contracts';
import type { BenchContext } from './context.js';
import { HttpConnection, postRequest } from './http-connection.js';
import { openInstallation } from './installation.js';
import type { Figure, Measurement } from './report.js';
import { startApp } from './started-process.js';
import { percentile, rounded } from './statistics.js';
import { toolRequest } from './tool-request.js';

const REVOCATIONS = 40;
const FEWEST = 3;
/** What the product promises for every process. */
const PROMISED_MS = 1_000;

/** From the answer of revoke_credential until the process that gave it and another one refuse the credential. */
export async function measureRevocation({ cluster, size }: BenchContext): Promise<Measurement> {
  const database = await cluster.createDatabase('bench_revocation');
  const installation = await openInstallation(database, { poolSize: 2 });
  const env = { PERDURE_DATABASE_URL: database.appUrl, PERDURE_QUEUE_URL: cluster.queueUrl };
  const api = await startApp('api', cluster.folder, env);
  const gateway = await startApp('mcp-gateway', cluster.folder, env);
  const { owner } = await installation.workspace();
  const issue = (actor: string, preset: 'admin' | 'agent') =>
    installation.call(catalogue.access.issueCredential, owner, { actor, preset });
  const admin = secretOf(await issue('admin', 'admin'));
  const times: Record<'here' | 'elsewhere', number[]> = { here: [], elsewhere: [] };
  const revocations = Math.max(FEWEST, Math.round(REVOCATIONS * size));
  for (let turn = 0; turn < revocations; turn += 1) {
    const issued = await issue(`agent-${turn}`, 'agent');
    const doors = [
      { name: 'here', port: api.port, request: trpcCall('access.whoAmI', secretOf(issued), {}) },
      { name: 'elsewhere', port: gateway.port, request: toolRequest(secretOf(issued), 'who_am_i', {}) },
    ] as const;
    const open = await Promise.all(doors.map(async (door) => ({ ...door, at: await HttpConnection.open(door.port) })));
    for (const { at, request } of open) requireStatus(200, await at.send(request));
    const revoking = await HttpConnection.open(api.port);
    const revoke = trpcCall('access.revokeCredential', admin, { credential_id: issued.credential.id, reason: 'bench' });
    requireStatus(200, await revoking.send(revoke));
    const revokedAt = performance.now();
    await Promise.all(
      open.map(async ({ name, at, request }) => {
        while ((await at.send(request)).status === 200);
        times[name].push(performance.now() - revokedAt);
        at.close();
      }),
    );
    revoking.close();
  }
  await Promise.all([api.stop(), gateway.stop()]);
  await installation.close();
  return {
    name: 'revocation',
    title: `Revocation of ${revocations} credentials`,
    method: [
      'Milliseconds from the answer of revoke_credential to the first refusal, as a client that calls all the time sees it: the api that revoked, and a gateway that shares nothing with it but the database. Each had the credential cached.',
      'Value: the longest. Whether it is met is judged by that.',
    ],
    figures: [figureOf('in the process that revoked', times.here), figureOf('in another process', times.elsewhere)],
  };
}

function figureOf(name: string, times: readonly number[]): Figure {
  const longest = Math.max(...times);
  return {
    name,
    unit: 'ms',
    ours: { value: rounded(longest), p50Ms: rounded(percentile(times, 0.5)), p99Ms: rounded(percentile(times, 0.99)) },
    ceiling: null,
    ratio: null,
    target: { text: `≤ ${PROMISED_MS} ms`, met: longest <= PROMISED_MS },
  };
}

const trpcCall = (procedure: string, token: string, input: object): Buffer =>
  postRequest(`/trpc/${procedure}`, { authorization: `Bearer ${token}` }, JSON.stringify(input));

function secretOf({ secret }: { readonly secret: string | null }): string {
  if (secret === null) throw new Error('a new credential has no secret');
  return secret;
}

function requireStatus(status: number, answer: { readonly status: number; readonly text: string }): void {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text.slice(0, 400)}`);
}
