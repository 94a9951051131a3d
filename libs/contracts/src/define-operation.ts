import type { z } from 'zod';
import type { ErrorCode } from './errors.js';
import type { AuditedEventName } from './events.js';
import type { Scope } from './scopes.js';

export type Area =
  'projects' | 'sessions' | 'decisions' | 'backlog' | 'rules' | 'loop' | 'usage' | 'audit' | 'access' | 'platform';
export type ToolSet = 'core' | Area;
export type OperationKind = 'query' | 'mutation';

export interface Route<Output> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: `/v1/${string}`;
  /** Says from the answer whether a row was created: REST then answers 201 instead of 200. Absent: never. */
  readonly creates?: (output: Output) => boolean;
  /** REST answers 202: it is safe, and done later. */
  readonly accepted?: true;
  /** Over HTTP the body may be this large instead of the 512 kB of every other call. */
  readonly bodyLimitBytes?: number;
  /**
   * REST also takes NDJSON, gzipped or not: a line is an item of `argument`, the other arguments stand in the query
   * string, and `keyArgument` may be said as the Idempotency-Key.
   */
  readonly lines?: { readonly argument: string; readonly keyArgument: string };
  /** An export: REST sends its lines as a stream of this type instead of the answer as JSON. */
  readonly stream?: { readonly mediaType: string; readonly lines: (output: Output) => Iterable<string> };
  /**
   * A file that may be too large for an answer: its media type, and the key of the answer that holds it in base64 for
   * transports that cannot send `CallResult.download` on as it comes.
   */
  readonly download?: { readonly mediaType: string; readonly inline: keyof Output & string };
}

/**
 * One operation, as data: importable by a browser, a docs page and a test without a server.
 * tRPC, MCP, REST, docs and the CLI derive from it; nothing about an operation stands anywhere else.
 */
export interface OperationContract<
  Name extends string = string,
  Kind extends OperationKind = OperationKind,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  /** MCP tool name, REST operation id and, in camel case, the tRPC procedure. Public and permanent. */
  readonly name: Name;
  readonly area: Area;
  readonly toolSet: ToolSet;
  readonly kind: Kind;
  readonly title: string;
  /** Said to the model: what it does and when to call it. Constant text; never holds stored data (MCP tool poisoning). */
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
  /**
   * An argument that is a list of which a bad item is refused by itself: the schema says what a good one is, the handler
   * gets them as they were sent.
   */
  readonly itemwise?: { readonly argument: keyof z.output<Input> & string; readonly max: number };
  readonly scope: Scope | 'any';
  /** Each of these is enough as well. */
  readonly alsoScopes?: readonly Scope[];
  /** Whom a success gives work besides the audit-writer. */
  readonly wakes?: 'usage_ingest';
  readonly errors: readonly ErrorCode[];
  /** The audit events a success may write. `[]` on a mutation needs `unauditedBecause`. */
  readonly audits: readonly AuditedEventName[];
  readonly unauditedBecause?: string;
  /** A second call with the same arguments changes nothing more (MCP `idempotentHint`). */
  readonly idempotent: boolean;
  /** It may take something away (MCP `destructiveHint`). */
  readonly destructive?: boolean;
  readonly route: Route<z.output<Output>>;
  /** Top-level keys of the answer that are shown once: stored for replays as null. */
  readonly disclosedOnce?: readonly (keyof z.output<Output> & string)[];
}

/** Identity with inference: keeps the literal name, kind and schemas of a contract in its type. */
export const defineOperation = <
  const Name extends string,
  const Kind extends OperationKind,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
>(
  contract: OperationContract<Name, Kind, Input, Output>,
): OperationContract<Name, Kind, Input, Output> => contract;

/** Whether a holder of these scopes may call it. */
export const isAllowedBy = (
  { scope, alsoScopes = [] }: Pick<OperationContract, 'scope' | 'alsoScopes'>,
  scopes: ReadonlySet<Scope>,
): boolean => scope === 'any' || [scope, ...alsoScopes].some((one) => scopes.has(one));

export type InputOf<Contract> =
  Contract extends OperationContract<string, OperationKind, infer Input, z.ZodObject> ? z.output<Input> : never;
export type RawInputOf<Contract> =
  Contract extends OperationContract<string, OperationKind, infer Input, z.ZodObject> ? z.input<Input> : never;
export type OutputOf<Contract> =
  Contract extends OperationContract<string, OperationKind, z.ZodObject, infer Output> ? z.output<Output> : never;
