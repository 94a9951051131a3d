import type { DataSource } from 'typeorm';

/** Adds to the shared counter of that key; the sum in the running minute and how long that lasts, in milliseconds. */
export async function countRequests(
  dataSource: DataSource,
  key: string,
  count: number,
): Promise<{ readonly total: number; readonly resetsInMs: number }> {
  const [row]: { total: number; resets_in_ms: number }[] = await dataSource.query(
    'SELECT total, resets_in_ms FROM perdure_count_requests($1, $2)',
    [key, count],
  );
  if (row === undefined) throw new Error('counting requests answered without a count');
  return { total: row.total, resetsInMs: row.resets_in_ms };
}
