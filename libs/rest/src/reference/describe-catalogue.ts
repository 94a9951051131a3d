import {
  allOperations,
  answerJsonSchema,
  argumentsJsonSchema,
  catalogue,
  ERROR_CODES,
  ERROR_KINDS,
  EVENT_TYPES,
  operationExamples,
  SHARED_OBJECT,
  sharedObjectName,
  type ErrorCode,
  type JsonSchema,
  type OperationContract,
} from '@perdure/contracts';
import { successStatuses } from '../openapi/responses.js';
import { areas, areaTitle } from './areas.js';
import { exampleRequest, type ExampleRequest } from './example-request.js';
import { schemaRows, type SchemaRow } from './schema-words.js';

export interface KeyRow {
  /** With a `?` behind it where an answer may leave it out. */
  readonly name: string;
  readonly type: string;
  /** The shared object that the type names; null when it names none. */
  readonly object: string | null;
}

export interface CodeRow {
  readonly code: string;
  readonly kind: string;
  readonly status: number;
  readonly hint: string;
}

/** One operation in words. */
export interface OperationDescription {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly scope: string;
  readonly toolSet: string;
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  /** HTTP statuses of a success. */
  readonly statuses: readonly number[];
  readonly trpc: string;
  readonly audits: readonly string[];
  /** Why a mutation is not audited; null where that is no question. */
  readonly unauditedBecause: string | null;
  /** Keys that are shown in the first answer only. */
  readonly disclosedOnce: readonly string[];
  readonly arguments: readonly SchemaRow[];
  readonly results: readonly KeyRow[];
  readonly errors: readonly CodeRow[];
  readonly example: { readonly input: Readonly<Record<string, unknown>>; readonly request: ExampleRequest };
}

export interface CatalogueDescription {
  readonly areas: readonly {
    readonly name: string;
    readonly title: string;
    readonly operations: readonly OperationDescription[];
  }[];
  /** Objects that several answers hold, in the order in which answers first name them. */
  readonly objects: readonly { readonly name: string; readonly keys: readonly KeyRow[] }[];
  readonly codes: readonly CodeRow[];
  readonly events: readonly { readonly name: string; readonly summary: string }[];
}

/** A tool of MCP that stands in no other transport, in words. */
export type ToolDescription = Pick<
  OperationDescription,
  'name' | 'title' | 'summary' | 'scope' | 'toolSet' | 'arguments' | 'results'
>;

export const describeTool = (
  tool: Pick<OperationContract, 'name' | 'title' | 'summary' | 'scope' | 'toolSet' | 'input' | 'output'>,
): ToolDescription => ({
  name: tool.name,
  title: tool.title,
  summary: tool.summary,
  scope: tool.scope,
  toolSet: tool.toolSet,
  arguments: schemaRows(argumentsJsonSchema(tool.input)),
  results: keyRows(answerJsonSchema(tool.output, sharedObjectName)),
});

/** Everything that a reference says, computed from the catalogue. @throws Error for an operation without an example */
export function describeCatalogue(): CatalogueDescription {
  return {
    areas: areas().map((area) => ({
      name: area,
      title: areaTitle(area),
      operations: allOperations.filter((contract) => contract.area === area).map(describeOperation),
    })),
    objects: describeObjects(),
    codes: (Object.keys(ERROR_CODES) as ErrorCode[]).map(describeCode), // the keys of a const object are its codes
    events: Object.entries(EVENT_TYPES)
      .filter(([, { audited }]) => audited)
      .map(([name, { summary }]) => ({ name, summary })),
  };
}

function describeOperation(contract: OperationContract): OperationDescription {
  const { name, title, summary, scope, toolSet, kind, route, audits, unauditedBecause, disclosedOnce } = contract;
  const example = operationExamples.find(({ operation }) => operation === name);
  if (example === undefined) throw new Error(`${name} has no example: add one in libs/contracts/src/examples`);
  return {
    name,
    title,
    summary,
    scope,
    toolSet,
    kind,
    method: route.method,
    path: route.path,
    statuses: successStatuses(route),
    trpc: trpcPath(contract),
    audits,
    unauditedBecause: unauditedBecause ?? null,
    disclosedOnce: disclosedOnce ?? [],
    arguments: schemaRows(argumentsJsonSchema(contract.input)),
    results: keyRows(answerJsonSchema(contract.output, sharedObjectName)),
    errors: contract.errors.map(describeCode),
    example: { input: example.input, request: exampleRequest(contract, example.input) },
  };
}

function trpcPath({ name, area }: OperationContract): string {
  const [key] = Object.entries(catalogue[area]).find(([, contract]) => contract.name === name) ?? [name];
  return `${area}.${key}`;
}

const keyRows = (schema: JsonSchema): KeyRow[] =>
  schemaRows(schema).map(({ name, type, object, limits, required }) => ({
    name: required ? name : `${name}?`,
    object,
    type: /\bchoice\b/.test(type) ? `${type} of ${limits}` : type,
  }));

function describeCode(code: ErrorCode): CodeRow {
  const { kind, hint } = ERROR_CODES[code];
  return { code, kind, status: ERROR_KINDS[kind], hint };
}

function describeObjects() {
  const found = new Map<string, readonly KeyRow[]>();
  const visit = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const node: JsonSchema = { ...schema };
    const name = node[SHARED_OBJECT];
    if (typeof name === 'string') found.set(name, keyRows(node));
    for (const value of Object.values(node)) visit(value);
  };
  for (const { output } of allOperations) visit(answerJsonSchema(output, sharedObjectName));
  return [...found].map(([name, keys]) => ({ name, keys }));
}
