import { allOperations, type OperationContract } from '@perdure/contracts';
import { z } from 'zod';

/**
 * The kinds of cases/bad-input, and `word`: a text that is looked up or has a form of its own, so that of the titles'
 * cases only the refusals apply. Null: no case is made for it.
 */
export type ArgumentKind =
  | 'markdown'
  | 'title'
  | 'word'
  | 'id'
  | 'date'
  | 'limit'
  | 'cursor'
  | 'url'
  | 'path'
  | 'sha'
  | 'enum'
  | 'array'
  | 'attributes'
  | 'query'
  | null;

/** Arguments by their names; `tags[]` is an item of `tags`. Enumerations and arrays are read off the schema. */
const KIND_BY_NAME: Readonly<Record<string, ArgumentKind>> = {
  title: 'title',
  name: 'title',
  intent: 'title',
  worktree: 'title',
  client_name: 'title',
  client_version: 'title',
  actor: 'title',
  reason: 'title',
  assignee: 'title',
  failing_signature: 'title',
  'tags[]': 'title',
  branch: 'title',
  computer: 'title',
  loop: 'title',
  session_id: 'title',
  project: 'word',
  slug: 'word',
  tag: 'word',
  type: 'word',
  subject_type: 'word',
  subject_id: 'word',
  from: 'word',
  to: 'word',
  expires_at: 'word',
  diff_hash: 'word',
  'repository_urls[]': 'word',
  notes: 'markdown',
  closing_notes: 'markdown',
  dismissal_reason: 'markdown',
  rationale_markdown: 'markdown',
  body_markdown: 'markdown',
  current_state_markdown: 'markdown',
  new_lead_markdown: 'markdown',
  session_history_entry_markdown: 'markdown',
  build_session_id: 'id',
  predecessor_build_session_id: 'id',
  decision_id: 'id',
  supersedes_decision_id: 'id',
  backlog_item_id: 'id',
  'blocked_by[]': 'id',
  decided_on: 'date',
  decided_from: 'date',
  decided_to: 'date',
  limit: 'limit',
  cursor: 'cursor',
  since: 'cursor',
  url: 'url',
  linked_issue_url: 'url',
  closing_pr_url: 'url',
  path: 'path',
  'paths[]': 'path',
  sha: 'sha',
  closing_commit_sha: 'sha',
  'related_commit_shas[]': 'sha',
  search: 'query',
  query: 'query',
  attributes: 'attributes',
  // Numbers that are no stored counts, with limits of their own.
  from_seq: null,
  if_version: null,
  stale_for_minutes: null,
  calls: null,
  cap: null,
  no_progress_limit: null,
  token_budget: null,
};

/** Names that mean something else in a list's arguments: there they filter. */
const FILTERS: ReadonlySet<string> = new Set(['actor', 'branch', 'computer', 'assignee', 'loop', 'session_id']);

export interface Argument {
  /** `prs.0.url` as keys; arrays are looked into at their first item. */
  readonly path: readonly string[];
  readonly kind: ArgumentKind;
  readonly required: boolean;
  readonly allowed?: readonly string[];
}

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
}

/** Every argument of an operation at any depth, with its kind; fails for a name that has none. */
export function argumentsOf(contract: OperationContract): Argument[] {
  const schema = z.toJSONSchema(contract.input, { io: 'input', unrepresentable: 'any' }) as JsonSchema; // what zod writes
  return argumentsIn(schema, [], contract);
}

function argumentsIn(schema: JsonSchema, at: readonly string[], contract: OperationContract): Argument[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const found = property.anyOf?.find(({ type }) => type !== 'null') ?? property;
    const required = schema.required?.includes(name) === true;
    return described(found, { path: [...at, name], name, required }, contract);
  });
}

interface Found {
  readonly path: readonly string[];
  readonly name: string;
  readonly required: boolean;
}

function described(schema: JsonSchema, { path, name, required }: Found, contract: OperationContract): Argument[] {
  if (schema.enum !== undefined) return [{ path, required, kind: 'enum', allowed: schema.enum }];
  if (schema.type === 'boolean') return [];
  if (schema.type === 'array' && schema.items !== undefined) {
    const item = { path: [...path, '0'], name: `${name}[]`, required: false };
    const nested =
      schema.items.properties === undefined
        ? described(schema.items, item, contract)
        : argumentsIn(schema.items, item.path, contract);
    return [{ path, required, kind: 'array' }, ...nested];
  }
  const kind = KIND_BY_NAME[name];
  if (kind === undefined) throw new Error(`${contract.name}: say in argument-kinds.ts of what kind ${name} is`);
  return [{ path, required, kind: contract.kind === 'query' && FILTERS.has(name) ? 'word' : kind }];
}

/** Every operation with its arguments, in catalogue order. */
export const operationsWithArguments = () =>
  allOperations.map((contract) => ({ contract, parameters: argumentsOf(contract) }));
