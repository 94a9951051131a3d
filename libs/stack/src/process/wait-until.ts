import { setTimeout as pause } from 'node:timers/promises';

/** Polls until the condition holds; false when it did not within `deadlineMs`. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { deadlineMs, intervalMs = 25 }: { deadlineMs: number; intervalMs?: number },
): Promise<boolean> {
  const deadline = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() >= deadline) return false;
    await pause(intervalMs);
  }
  return true;
}
