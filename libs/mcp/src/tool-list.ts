import { allOperations, DomainError, isAllowedBy, type Scope, type ToolSet } from '@perdure/contracts';
import type { Tool } from '@modelcontextprotocol/server';
import { ownTools } from './own-tools.js';
import { argumentsSchema } from './portable-schema.js';
import { operationArguments, toListedTool, type ListedTool } from './tool.js';

/** Every tool that can be listed, in catalogue order, our own two last: the stable order of `tools/list`. */
export const listedTools: readonly ListedTool[] = [
  ...allOperations.map((contract) => toListedTool(contract, operationArguments(contract))),
  ...ownTools.map(({ contract }) => toListedTool(contract, argumentsSchema(contract.input))),
];

/** The tool sets that exist, in the order of the catalogue. */
export const toolSetNames: readonly ToolSet[] = [...new Set(listedTools.map(({ contract }) => contract.toolSet))];

const DEFAULT_TOOL_SETS: ReadonlySet<ToolSet> = new Set(['core']);

/**
 * Reads `?toolsets=core,backlog`; absent or empty means `core`.
 * @throws DomainError `invalid_input` with the names that exist
 */
export function parseToolSets(value: string | undefined): ReadonlySet<ToolSet> {
  const asked = (value ?? '').split(',').map((name) => name.trim());
  const names = asked.filter((name) => name !== '');
  if (names.length === 0) return DEFAULT_TOOL_SETS;
  const known = toolSetNames.filter((name) => names.includes(name));
  if (new Set(names).size === known.length) return new Set(known);
  throw new DomainError(
    'invalid_input',
    `toolsets names a set that does not exist. There are: ${toolSetNames.join(', ')}.`,
    { toolsets: toolSetNames },
  );
}

/** What a caller is shown: the tools of these sets that its scopes allow. Hidden is not forbidden: names still work. */
export const visibleTools = (toolSets: ReadonlySet<ToolSet>, scopes: ReadonlySet<Scope>): Tool[] =>
  listedTools
    .filter(({ contract }) => toolSets.has(contract.toolSet))
    .filter(({ contract }) => isAllowedBy(contract, scopes))
    .map(({ definition }) => definition);
