import { Pool } from 'pg';
import { timesOf, type Figure } from './report.js';
import { closedLoop, compare, type Contestant, type RoundPlan } from './rounds.js';
import { median, rounded } from './statistics.js';

/** How long each read takes, in milliseconds and in round trips of `SELECT 1` over a connection of its own. */
export async function inRoundTrips(
  databaseUrl: string,
  reads: Readonly<Record<string, () => Promise<void>>>,
  plan: RoundPlan,
): Promise<Figure[]> {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  const roundTrip: Contestant = (ms) => closedLoop(1, ms, async () => void (await pool.query('SELECT 1')));
  const figures: Figure[] = [];
  for (const [name, read] of Object.entries(reads)) {
    const comparison = await compare((ms) => closedLoop(1, ms, read), roundTrip, plan);
    // Rates in a closed loop turned round are times.
    const ratios = comparison.ratios.map((rate) => 1 / rate);
    figures.push({
      name,
      unit: 'ms',
      ours: timesOf(comparison.ours, 1),
      ceiling: timesOf(comparison.ceiling, 1),
      ratio: rounded(median(ratios)),
      ratios: ratios.map(rounded),
    });
  }
  await pool.end();
  return figures;
}
