/** Thrown by {@link within}; what was waited for may still happen later. */
class DeadlineError extends Error {
  constructor(what: string, milliseconds: number) {
    super(`${what} took longer than ${milliseconds} ms`);
    this.name = 'DeadlineError';
  }
}

/** The promise's own outcome, or a DeadlineError after `milliseconds`. A late rejection is swallowed. */
export async function within<T>(promise: Promise<T>, milliseconds: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(what, milliseconds)), milliseconds);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined);
  }
}

/** True when the promise settled, either way, in time. Never rejects. */
export async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return within(
    promise.then(
      () => true,
      () => true,
    ),
    milliseconds,
    'settling',
  ).catch(() => false);
}
