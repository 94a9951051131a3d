import type { Caller } from '@perdure/contracts';
import type { Response } from 'express';

const callers = new WeakMap<Response, Caller>();

export const setCaller = (response: Response, caller: Caller): void => void callers.set(response, caller);

/** The caller that `requireCaller` found. Throws when the route was mounted without it. */
export function callerOf(response: Response): Caller {
  const caller = callers.get(response);
  if (caller === undefined) throw new Error('this route has no caller: mount requireCaller before it');
  return caller;
}
