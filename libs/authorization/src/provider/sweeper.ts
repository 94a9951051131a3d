/** What has expired is of no harm, only of weight: looked for this often, and only while somebody asks for tokens. */
const EVERY_MS = 10 * 60_000;

/** Calls `sweep` now and then, beside the requests; each process does, and a sweep takes 500 rows of a kind at most. */
export function createSweeper(sweep: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - last < EVERY_MS) return;
    last = performance.now();
    sweep().catch(onError);
  };
}
