/** As long as an address is not asked again, whatever came of it, and how many are remembered (64 kB each at most). */
const REMEMBERED_MS = 60_000;
const REMEMBERED = 200;

type Fetch = (url: string | URL, init: { signal?: AbortSignal | undefined }) => Promise<Response>;

interface Outcome {
  readonly response: Promise<Response>;
  readonly until: number;
}

/**
 * Answers further requests for a document from memory, so that nobody can have us ask one address over and over. The
 * library remembers good documents by itself, and neither failures nor bad ones.
 *
 * @throws what the first attempt threw
 */
export function rememberOutcomes(fetch: Fetch): Fetch {
  const outcomes = new Map<string, Outcome>();
  return async (url, init) => {
    const key = String(url);
    const known = outcomes.get(key);
    if (known !== undefined && known.until > performance.now()) return (await known.response).clone();
    outcomes.delete(key);
    const [oldest] = outcomes.keys();
    if (outcomes.size >= REMEMBERED && oldest !== undefined) outcomes.delete(oldest);
    const response = fetch(url, init);
    outcomes.set(key, { response, until: performance.now() + REMEMBERED_MS });
    return (await response).clone();
  };
}
