/** As long as a document that could not be fetched is not asked for again, and how many of those are remembered. */
const FAILED_MS = 60_000;
const REMEMBERED = 500;

type Fetch = (url: string | URL, init: { signal?: AbortSignal | undefined }) => Promise<Response>;

/**
 * Answers a second request for a document that just failed from memory, so that nobody can have us ask one address over
 * and over. @throws what the first attempt threw
 */
export function rememberFailures(fetch: Fetch): Fetch {
  const failures = new Map<string, { error: unknown; until: number }>();
  return async (url, init) => {
    const key = String(url);
    const failed = failures.get(key);
    if (failed !== undefined && failed.until > Date.now()) throw failed.error;
    failures.delete(key);
    try {
      return await fetch(url, init);
    } catch (error) {
      const [oldest] = failures.keys();
      if (failures.size >= REMEMBERED && oldest !== undefined) failures.delete(oldest);
      failures.set(key, { error, until: Date.now() + FAILED_MS });
      throw error;
    }
  };
}
