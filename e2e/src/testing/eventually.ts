/** Waits until it holds. Fails after 30 s: far longer than a sound system takes on a busy machine. */
export async function eventually(what: string, holds: () => Promise<boolean>, withinMs = 30_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`after ${withinMs / 1000} s still not so: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
