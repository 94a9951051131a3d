import { findOperationsContract } from './find-operations.js';
import { runOperationContract } from './run-operation.js';
import type { ToolContract } from './tool.js';

/** A tool that is no operation of the catalogue, with a call that works: docs show it and a test makes it. */
export interface OwnTool {
  readonly contract: ToolContract;
  readonly example: Readonly<Record<string, unknown>>;
}

/** Through these two every operation is reached, whatever is listed. */
export const ownTools: readonly OwnTool[] = [
  { contract: findOperationsContract, example: { query: 'verify the audit chain', limit: 3 } },
  { contract: runOperationContract, example: { name: 'list_projects', arguments: { limit: 5 } } },
];
