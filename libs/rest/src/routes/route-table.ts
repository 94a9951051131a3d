import { allOperations, type OperationContract } from '@perdure/contracts';

/** One address with the operations that stand there, by HTTP method. */
export interface Address {
  /** As the contracts write it, such as `/v1/projects/{project}`. */
  readonly path: string;
  readonly operations: readonly OperationContract[];
}

const PARAMETER = /\{([a-z_]+)\}/g;

/** The arguments that a path holds, in order. */
export const pathParameters = (path: string): string[] => [...path.matchAll(PARAMETER)].map(([, name = '']) => name);

/** The same path as Express writes it, below the `/v1` where the router is mounted. */
export const expressPath = (path: string): string => path.slice('/v1'.length).replace(PARAMETER, ':$1');

/**
 * Every address, literal ones first: `/v1/decision-log/export` must be asked before `/v1/decision-log/{decision_id}`
 * swallows it, whatever the order of the catalogue and whatever the methods.
 */
export function routeTable(contracts: readonly OperationContract[] = allOperations): Address[] {
  const byPath = new Map<string, OperationContract[]>();
  for (const contract of contracts) {
    byPath.set(contract.route.path, [...(byPath.get(contract.route.path) ?? []), contract]);
  }
  return [...byPath]
    .map(([path, operations]) => ({ path, operations }))
    .toSorted((one, other) => compareSegments(one.path.split('/'), other.path.split('/')));
}

function compareSegments([one, ...restOfOne]: string[], [other, ...restOfOther]: string[]): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  if (one === other) return compareSegments(restOfOne, restOfOther);
  const byKind = Number(one.startsWith('{')) - Number(other.startsWith('{'));
  return byKind === 0 ? (one < other ? -1 : 1) : byKind;
}
