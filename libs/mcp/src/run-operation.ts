import { DomainError, findOperation, type OperationContract } from '@perdure/contracts';
import { z } from 'zod';
import { similarNames } from './find-operations.js';
import type { ToolContract } from './tool.js';

/** Destructive as far as anyone can tell beforehand: it may run any operation. */
export const runOperationContract = {
  name: 'run_operation',
  title: 'Run an operation',
  summary:
    'Run an operation by name with its arguments, as find_operations describes them. It needs the scope of that operation and answers as that operation does.',
  toolSet: 'core',
  kind: 'mutation',
  scope: 'any',
  idempotent: false,
  destructive: true,
  input: z.strictObject({
    name: z.string().min(1).max(64),
    arguments: z.record(z.string(), z.unknown()).optional(),
  }),
  output: z.looseObject({}),
} as const satisfies ToolContract;

/** @throws DomainError `not_found` with the nearest names */
export function operationToRun(name: string): OperationContract {
  const contract = findOperation(name);
  if (contract !== undefined) return contract;
  const similar = similarNames(name);
  throw new DomainError(
    'not_found',
    'There is no operation of that name.',
    { similar },
    similar.length > 0 ? `Did you mean ${similar.join(', ')}?` : 'Search with find_operations.',
  );
}
