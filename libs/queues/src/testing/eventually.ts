/**
 * Polls until the condition holds. The limit only ends a test that would hang: nothing is asserted about time.
 * Throws with `what` when it was never true.
 */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 5000; attempt += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`never happened: ${what}`);
}
