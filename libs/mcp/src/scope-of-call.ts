import { findOperation, isAllowedBy, type Scope } from '@perdure/contracts';
import { runOperationContract } from './run-operation.js';

/**
 * The scope that a `tools/call` needs: of the operation it names, or that it names through `run_operation`. Null for any
 * other message, for an operation that needs none and for one that does not exist.
 *
 * @param body one JSON-RPC message, of any shape
 * @param held scopes of the caller: null too when they are enough
 */
export function scopeOfCall(body: unknown, held: ReadonlySet<Scope> = new Set()): Scope | null {
  if (member(body, 'method') !== 'tools/call') return null;
  const called = member(body, 'params', 'name');
  const name = called === runOperationContract.name ? member(body, 'params', 'arguments', 'name') : called;
  const contract = typeof name === 'string' ? findOperation(name) : undefined;
  if (contract === undefined || contract.scope === 'any' || isAllowedBy(contract, held)) return null;
  return contract.scope;
}

function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, key) => (typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined),
    value,
  );
}
