import { createHash } from 'node:crypto';
import { catalogue } from '@perdure/contracts';
import type { BenchContext } from './context.js';
import { openInstallation, type Agent, type Installation } from './installation.js';
import { timesOf, type Figure, type Measurement } from './report.js';
import { closedLoop, compare, type Contestant } from './rounds.js';
import { median, rounded } from './statistics.js';

/** Done at a stretch: one takes microseconds, and a clock read beside each would be part of it. */
const AT_A_STRETCH = 1_000;

/** What it costs a request to be authenticated where its credential is cached, as it is but for the first of a process. */
export async function measureAuthentication({ cluster, plan }: BenchContext): Promise<Measurement> {
  const database = await cluster.createDatabase('bench_authentication');
  const installation = await openInstallation(database, { poolSize: 2 });
  const [agent] = await installation.agents(1, 1);
  if (agent === undefined) throw new Error('there is no agent');
  const { operations } = installation;
  const authenticated = stretches(async () => requireCaller(await operations.authenticate(agent.token)));
  const hashed = stretches(async () => void createHash('sha256').update(agent.token).digest());
  const figures = [
    await figureOf('authenticate : SHA-256 of the token', 'µs', authenticated, hashed, plan),
    await figureOf(
      'get_build_session, with : without',
      'ms',
      reads(installation, agent, true),
      reads(installation, agent, false),
      plan,
    ),
  ];
  await operations.close();
  await installation.close();
  return {
    name: 'authentication',
    title: 'Cost of authentication per request',
    method: [
      'Ours: operations.authenticate in this process, the credential cached, as an access token or secret is checked on every request: form, checksum, SHA-256, comparison in constant time, state, scopes of the caller.',
      'Ceiling: SHA-256 of the same token, which no check of a stored digest can do without. The ratio is of times.',
      'With and without: the same read through the dispatcher, one caller, authenticated before each call or once for all.',
    ],
    figures,
  };
}

async function figureOf(
  name: string,
  unit: string,
  ours: Contestant,
  ceiling: Contestant,
  plan: BenchContext['plan'],
): Promise<Figure> {
  const comparison = await compare(ours, ceiling, plan);
  // Rates in a closed loop turned round are times.
  const ratios = comparison.ratios.map((rate) => 1 / rate);
  return {
    name,
    unit,
    ours: withoutPercentiles(timesOf(comparison.ours, 1), unit),
    ceiling: withoutPercentiles(timesOf(comparison.ceiling, 1), unit),
    ratio: rounded(median(ratios)),
    ratios: ratios.map(rounded),
  };
}

/** Milliseconds of a thousand are microseconds of one; but percentiles of thousands are not those of one. */
const withoutPercentiles = (times: ReturnType<typeof timesOf>, unit: string) =>
  unit === 'µs' ? { value: times.value } : times;

const stretches =
  (once: () => Promise<void>): Contestant =>
  (ms) =>
    closedLoop(1, ms, async () => {
      for (let turn = 0; turn < AT_A_STRETCH; turn += 1) await once();
    });

const reads =
  ({ operations, call }: Installation, { token, caller, sessionId }: Agent, authenticates: boolean): Contestant =>
  (ms) =>
    closedLoop(1, ms, async () => {
      if (authenticates) requireCaller(await operations.authenticate(token));
      await call(catalogue.sessions.getBuildSession, caller, { build_session_id: sessionId });
    });

function requireCaller(caller: unknown): void {
  if (caller === null) throw new Error('a valid token was refused');
}
