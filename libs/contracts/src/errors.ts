/** Every kind of refusal with its HTTP status (OPERATIONS, Codes). Transports map kinds, never single codes. */
export const ERROR_KINDS = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
} as const;

export type ErrorKind = keyof typeof ERROR_KINDS;

/** The one table of codes. A code is permanent: clients branch on it. A new one is added here and nowhere else. */
export const ERROR_CODES = {
  invalid_input: { kind: 'invalid_input', hint: 'Correct the named fields and call again.' },
  project_required: {
    kind: 'invalid_input',
    hint: 'Pass `project`, or start a build session first so that the project is taken from it.',
  },
  closing_evidence_required: {
    kind: 'invalid_input',
    hint: 'Pass closing_pr_url, closing_commit_sha or closing_notes.',
  },
  dismissal_reason_required: { kind: 'invalid_input', hint: 'Pass dismissal_reason.' },
  invalid_code_pattern: { kind: 'invalid_input', hint: 'Code patterns use RE2 syntax.' },
  invalid_glob: { kind: 'invalid_input', hint: 'Path globs use the documented dialect.' },
  invalid_cursor: {
    kind: 'invalid_input',
    hint: 'A cursor holds for the list and the filters that made it. Start again without one.',
  },
  unauthenticated: { kind: 'unauthenticated', hint: 'Send a valid credential as `Authorization: Bearer …`.' },
  forbidden: { kind: 'forbidden', hint: 'This caller may not do that.' },
  forbidden_scope: { kind: 'forbidden', hint: 'Use a credential that has the named scope.' },
  workspace_suspended: { kind: 'forbidden', hint: 'The workspace can be read, not written, until it is resumed.' },
  quota_exceeded: { kind: 'forbidden', hint: 'Ask the operator of the installation for a larger quota.' },
  not_found: { kind: 'not_found', hint: 'Check the id or name, or list what exists.' },
  session_ended: { kind: 'conflict', hint: 'Start a new build session with start_build_session.' },
  session_conflict: { kind: 'conflict', hint: 'End the session named in details first.' },
  cycle: { kind: 'conflict', hint: 'The link would close a cycle. Link the other way round or not at all.' },
  predecessor_conflict: { kind: 'conflict', hint: 'A session continues one predecessor; it already has another.' },
  version_conflict: { kind: 'conflict', hint: 'Read the current state again and write with its version.' },
  already_superseded: { kind: 'conflict', hint: 'Correct the correction named in details instead.' },
  slug_taken: { kind: 'conflict', hint: 'Choose another slug, or use what has it already.' },
  last_owner: { kind: 'conflict', hint: 'Make somebody else an owner first.' },
  illegal_transition: { kind: 'conflict', hint: 'See details for the states that can follow.' },
  item_final: { kind: 'conflict', hint: 'A resolved or dismissed item does not change. File a new one.' },
  already_assigned: { kind: 'conflict', hint: 'Pass reassign: true to take it over from its holder.' },
  idempotency_mismatch: { kind: 'conflict', hint: 'Use a new idempotency key for a different call.' },
  event_not_linked: { kind: 'conflict', hint: 'Wait until the event is linked into the chain, then call again.' },
  conflict: { kind: 'conflict', hint: 'Read again and retry.' },
  state_too_large: { kind: 'unprocessable', hint: 'Shorten the text, or pass on_overflow: "drop_oldest".' },
  self_link: { kind: 'unprocessable', hint: 'Name another build session.' },
  pr_url_unrecognised: { kind: 'unprocessable', hint: 'Use one of the url forms named in details.' },
  issue_url_unrecognised: { kind: 'unprocessable', hint: 'Use one of the url forms named in details.' },
  secret_detected: { kind: 'unprocessable', hint: 'Remove the credential; name where it is kept instead.' },
  unprocessable: { kind: 'unprocessable', hint: 'See the message.' },
  too_large: { kind: 'too_large', hint: 'Send less in one call.' },
  unsupported: { kind: 'unsupported', hint: 'Send application/json in UTF-8.' },
  rate_limited: { kind: 'rate_limited', hint: 'Wait as long as Retry-After says, then call again.' },
  unavailable: { kind: 'unavailable', hint: 'Try again shortly; nothing was written.' },
  internal: { kind: 'internal', hint: 'Try again; if it stays, give the operator the request id.' },
} as const satisfies Record<string, { kind: ErrorKind; hint: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Facts a program can act on. Never a secret, a stack or another workspace's data. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** What every transport sends for a refusal: one object with one shape. */
export interface ErrorBody {
  readonly kind: ErrorKind;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly details: ErrorDetails;
}

/** The only error that handlers throw on purpose. Anything else that reaches a transport is shown as `internal`. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    readonly hint: string = ERROR_CODES[code].hint,
  ) {
    super(message);
  }

  get kind(): ErrorKind {
    return ERROR_CODES[this.code].kind;
  }

  get status(): number {
    return ERROR_KINDS[this.kind];
  }

  toBody(): ErrorBody {
    return { kind: this.kind, code: this.code, message: this.message, hint: this.hint, details: this.details };
  }
}

/** The body for anything thrown: a DomainError as it is, all else as `internal` without a word of the cause. */
export function errorBodyOf(thrown: unknown): ErrorBody {
  if (thrown instanceof DomainError) return thrown.toBody();
  return new DomainError('internal', 'Something went wrong on our side; the call changed nothing.').toBody();
}
