import type { OperationContract } from './define-operation.js';
import type { ActorObject } from './objects/actor.js';
import type { MemberRole, Scope } from './scopes.js';

/** Who calls, as an authenticated credential says it. No input ever names a workspace: it stands here. */
export interface Caller {
  readonly workspaceId: string;
  readonly actor: ActorObject;
  readonly scopes: ReadonlySet<Scope>;
  readonly credentialId: string;
  readonly expiresAt: string | null;
  /** The member for whom the credential or session stands; absent for agents, jobs and the platform. */
  readonly member?: { readonly id: string; readonly role: MemberRole };
  /** Present when a person let a program act for them: it can ask them for more (403 `insufficient_scope`, DESIGN §4). */
  readonly via?: 'mcp_authorization';
  /** The quota of the workspace for the limiter at the edge; absent: none (I4, G6). */
  readonly requestsPerMinute?: number;
}

export interface CallOptions {
  /** For log lines; never part of an answer but for `internal`. */
  readonly requestId: string;
  /** The `Idempotency-Key` header; MCP sends the argument `idempotency_key` instead (T4). */
  readonly idempotencyKey?: string;
  /** The items of `route.lines`, as the bytes of NDJSON: read once, while the call lasts. */
  readonly lines?: AsyncIterable<Uint8Array>;
  /** Aborted when the client went away: the transaction is rolled back if it has not committed (G6). */
  readonly signal?: AbortSignal;
  /** The transport sends `CallResult.download` on as it comes; without it, a file must fit the answer. */
  readonly takesDownload?: boolean;
}

/** Bytes that are read when they are asked for, after the commit of the call that gave them. */
export interface Download {
  readonly fileName: string;
  /** Instead of the one of `route.download`, where an argument chooses. */
  readonly mediaType?: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface CallResult {
  readonly output: Readonly<Record<string, unknown>>;
  /** True when this is the stored answer of an earlier call with the same idempotency key. */
  readonly replayed: boolean;
  /** Only with `takesDownload`; a replay has none. */
  readonly download?: Download;
}

/** The one door to the operations, as transports see it. Rejects with a DomainError for every refusal. */
export type RunOperation = (
  contract: OperationContract,
  caller: Caller,
  rawInput: unknown,
  options: CallOptions,
) => Promise<CallResult>;

/** Resolves a bearer token to its caller; null when it is unknown, expired or revoked. */
export type Authenticate = (token: string) => Promise<Caller | null>;
