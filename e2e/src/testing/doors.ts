import { catalogue, type ErrorBody, type OperationContract } from '@perdure/contracts';
import type { TestApp } from '@perdure/testkit';
import type { McpClient } from './official-clients.js';
import { jsonOf, withNumbers } from './raw-numbers.js';

export interface Outcome {
  /** The whole answer as text. */
  readonly text: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: ErrorBody;
  /** The stored answer to an earlier call with the same idempotency key. */
  readonly replayed?: boolean;
  /** Where the door is HTTP. */
  readonly status?: number;
  /** What is wrong with the answer as such, whatever was asked. */
  readonly malformed: string | null;
}

/** A way into the operations. */
export interface Door {
  readonly name: string;
  readonly call: (contract: OperationContract, input: unknown) => Promise<Outcome>;
}

/** @param clientFor the client of the credential that may run the operation */
export const mcpDoor = (clientFor: (contract: OperationContract) => McpClient): Door => ({
  name: 'MCP',
  call: async (contract, input) => {
    const client = clientFor(contract);
    const given = withNumbers(input) as Record<string, unknown>; // as a bad client would
    const answer = await client.call(contract.name, given).catch(refusedAtTheDoor);
    if (answer instanceof Error) return { text: answer.message, error: transportRefusal(answer), malformed: null };
    const text = JSON.stringify(answer);
    if (answer.isError !== true) {
      const result = answer.structuredContent as Outcome['result'] & object; // DESIGN §8
      return { text, result, replayed: answer._meta?.['dev.perdure/replayed'] === true, malformed: null };
    }
    const error = answer._meta?.['dev.perdure/error'] as ErrorBody; // compared with the text right below
    const [content] = answer.content as { text?: string }[]; // DESIGN §4: the refusal stands alone in the text
    const same = content?.text === JSON.stringify({ error });
    const sound = same && answer.structuredContent === undefined;
    return { text, error, malformed: sound ? null : 'the refusal is not told as DESIGN §4 says' };
  },
});

const refusedAtTheDoor = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/**
 * What the gateway refused before any tool was called: the official client throws an error that ends with the body.
 * @throws the error itself when it is something else
 */
export function transportRefusal(error: Error): ErrorBody {
  const body = /\{"jsonrpc".*/s.exec(error.message)?.[0];
  if (body === undefined) throw error;
  return (JSON.parse(body) as { error: { data: ErrorBody } }).error.data; // as the gateway writes it
}

/** @param tokenFor the credential that may run the operation */
export const trpcDoor = (api: TestApp, tokenFor: (contract: OperationContract) => string): Door => ({
  name: 'tRPC',
  call: async (contract, input) => {
    const response = await fetch(`${api.url}/trpc/${pathOf(contract)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tokenFor(contract)}` },
      body: jsonOf(input),
    });
    const text = await response.text();
    const malformed = response.status >= 500 ? `status ${response.status}` : null;
    // As libs/trpc formats both.
    const body = JSON.parse(text) as { result?: { data: Outcome['result'] }; error?: { data: { perdure: ErrorBody } } };
    const { status } = response;
    if (body.error !== undefined) return { text, error: body.error.data.perdure, status, malformed };
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    return { text, result: body.result?.data ?? {}, replayed, status, malformed };
  },
});

const PATHS = new Map(
  Object.entries(catalogue).flatMap(([area, operations]) =>
    Object.entries(operations).map(([key, { name }]: [string, { name: string }]) => [name, `${area}.${key}`]),
  ),
);

const pathOf = ({ name }: OperationContract): string => PATHS.get(name) ?? '';
