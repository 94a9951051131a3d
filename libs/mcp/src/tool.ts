import { idempotencyKey, type OperationContract } from '@perdure/contracts';
import type { Tool } from '@modelcontextprotocol/server';
import { answerSchema, argumentsSchema, type PortableSchema } from './portable-schema.js';

/** What a tool says about itself: every operation of the catalogue has it, and so have the two tools of our own. */
export type ToolContract = Pick<
  OperationContract,
  'name' | 'title' | 'summary' | 'input' | 'output' | 'scope' | 'kind' | 'toolSet' | 'idempotent' | 'destructive'
>;

/** A tool as `tools/list` shows it, with what decides who sees it. Built once at start, never per request. */
export interface ListedTool {
  readonly contract: ToolContract;
  readonly definition: Tool;
}

/** Arguments of an operation as an agent sends them: a mutation also takes `idempotency_key` (T4). */
export function operationArguments(contract: ToolContract): PortableSchema {
  if (contract.kind === 'query') return argumentsSchema(contract.input);
  return argumentsSchema(contract.input.safeExtend({ idempotency_key: idempotencyKey().optional() }));
}

/** @param inputSchema the arguments as a client may send them */
export const toListedTool = (contract: ToolContract, inputSchema: PortableSchema): ListedTool => ({
  contract,
  definition: {
    name: contract.name,
    title: contract.title,
    description: contract.summary,
    inputSchema,
    outputSchema: answerSchema(contract.output),
    annotations: {
      readOnlyHint: contract.kind === 'query',
      destructiveHint: contract.destructive ?? false,
      idempotentHint: contract.idempotent,
      openWorldHint: false,
    },
  },
});
