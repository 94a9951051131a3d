/**
 * Every variable of the product. Processes share one environment, so each one knows the names of all;
 * any other `PERDURE_…` is a spelling mistake.
 */
export const VARIABLE_NAMES = [
  'PERDURE_ADDRESS_REQUESTS_PER_MINUTE',
  'PERDURE_ALLOWED_ORIGINS',
  'PERDURE_API_URL',
  'PERDURE_CLIENT_METADATA_HOSTS',
  'PERDURE_COMPUTER',
  'PERDURE_CONFORMANCE_FIXTURES',
  'PERDURE_CREDENTIAL_REQUESTS_PER_MINUTE',
  'PERDURE_DATABASE_DIRECT_URL',
  'PERDURE_DATABASE_OWNER_URL',
  'PERDURE_DATABASE_URL',
  'PERDURE_ENV',
  'PERDURE_FAILED_AUTHENTICATIONS_PER_MINUTE',
  'PERDURE_HTTP_HOST',
  'PERDURE_HTTP_PORT',
  'PERDURE_INGEST_DATABASE_URL',
  'PERDURE_LOG_LEVEL',
  'PERDURE_MCP_URL',
  'PERDURE_MEASURER_TOKEN',
  'PERDURE_OIDC_CLIENT_ID',
  'PERDURE_OIDC_CLIENT_SECRET',
  'PERDURE_OIDC_GROUPS',
  'PERDURE_OIDC_GROUPS_CLAIM',
  'PERDURE_OIDC_ISSUER',
  'PERDURE_OIDC_NAME',
  'PERDURE_OIDC_SCOPE',
  'PERDURE_POOL_SIZE',
  'PERDURE_PREPARED_STATEMENTS',
  'PERDURE_PROJECT',
  'PERDURE_PUBLIC_URL',
  'PERDURE_QUEUE_URL',
  'PERDURE_TOKEN',
  'PERDURE_TRUSTED_PROXIES',
  'PERDURE_URL',
  'PERDURE_USAGE_BACKLOG',
  'PERDURE_USAGE_BATCH_DAYS',
  'PERDURE_WRITER_DATABASE_URL',
] as const;

/** The known name with the fewest differing letters, or null when none is close enough to be meant. */
export function nearestName(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  // A third of the letters wrong is a guess, not a spelling mistake.
  let least = Math.floor(name.length / 3);
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance > least) continue;
    best = candidate;
    least = distance - 1;
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const substituted = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(substituted, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
