import type { ErrorKind } from '@perdure/contracts';

/** What a script can tell from the status; `perdure --help` prints it. */
export const EXIT = {
  done: 0,
  /** The server refused the call: wrong arguments, not found, a conflict. */
  refused: 1,
  /** The command line or the environment is wrong: nothing was sent. */
  usage: 2,
  /** No valid credential, or one that may not do that. */
  notAllowed: 3,
  /** The server was not reached, or cannot serve just now: worth another try. */
  unreachable: 4,
  /** `loop measure`: the same failure on the same files too often (L3). No test tool known to us ends with it. */
  noProgress: 86,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

const BY_KIND: Partial<Record<ErrorKind, ExitStatus>> = {
  unauthenticated: EXIT.notAllowed,
  forbidden: EXIT.notAllowed,
  rate_limited: EXIT.unreachable,
  unavailable: EXIT.unreachable,
};

export const statusOf = (kind: ErrorKind): ExitStatus => BY_KIND[kind] ?? EXIT.refused;

/** Ends a command with a status and a message for stderr. */
export class CommandFailure extends Error {
  constructor(
    readonly status: ExitStatus,
    message: string,
  ) {
    super(message);
  }
}
