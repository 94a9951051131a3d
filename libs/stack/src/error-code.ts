/** The `code` of a Node or Postgres error, such as `ENOENT`. Not `instanceof Error`: jest runs tests in a realm of its own. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
