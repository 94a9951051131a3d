import { allOperations, type OperationContract } from '@perdure/contracts';
import { z } from 'zod';

/**
 * The kinds of cases/bad-input and two more. `word`: a text that is looked up or has a form of its own, so that of the
 * titles' cases only the refusals apply. `document`: the same of markdown. Null: no case is made for it.
 */
export type ArgumentKind =
  | 'markdown'
  | 'document'
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
  | 'count'
  | 'usage_reports'
  | null;

/**
 * Arguments by their names, with the argument around them where that matters; `tags[]` is an item of `tags`.
 * Enumerations and arrays are read off the schema.
 */
const KIND_BY_NAME: ReadonlyMap<string, ArgumentKind> = new Map(
  Object.entries<ArgumentKind>({
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
    email: 'word',
    encrypt_to: 'word',
    workspace: 'word',
    diff_hash: 'word',
    'repository_urls[]': 'word',
    'operations[]': 'word',
    'languages[]': 'word',
    code: 'document',
    content: 'document',
    'code_patterns[]': 'document',
    'triggers.paths[]': 'document',
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
    rule_id: 'id',
    'blocked_by[]': 'id',
    credential_id: 'id',
    member_id: 'id',
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
    'file_paths[]': 'path',
    sha: 'sha',
    closing_commit_sha: 'sha',
    'related_commit_shas[]': 'sha',
    search: 'query',
    query: 'query',
    attributes: 'attributes',
    project_attributes: 'attributes',
    batch_key: 'word',
    batch_id: 'id',
    timezone: 'word',
    transcript_id: 'word',
    parent_transcript_id: 'word',
    client: 'word',
    model: 'word',
    first_at: 'word',
    last_at: 'word',
    hash: 'word',
    'warnings[]': 'word',
    turns: 'count',
    input_tokens: 'count',
    output_tokens: 'count',
    cache_write_5m_tokens: 'count',
    cache_write_1h_tokens: 'count',
    cache_read_tokens: 'count',
    // Counts that no answer shows.
    prompts: null,
    generation: null,
    complete_bytes: null,
    records: null,
    replayed_responses: null,
    // Numbers that are no stored counts, with limits of their own.
    from_seq: null,
    if_version: null,
    stale_for_minutes: null,
    calls: null,
    cap: null,
    overlap_minutes: null,
    grace_days: null,
    requests_per_minute: null,
    stored_bytes: null,
    build_sessions: null,
    usage_reports_per_day: null,
    no_progress_limit: null,
    token_budget: null,
  }),
);

/** Names that mean something else in a query: there they filter; and a loop is known by them. */
const LOOKED_UP: ReadonlySet<string> = new Set(['actor', 'branch', 'computer', 'assignee', 'loop', 'session_id']);

export interface Argument {
  /** `prs.0.url` as keys; arrays are looked into at their first item. */
  readonly path: readonly string[];
  readonly kind: ArgumentKind;
  readonly required: boolean;
  /** Null is a value of its own here. */
  readonly nullable: boolean;
  /** Of an enumeration. */
  readonly allowed?: readonly string[];
  /** Of an array, when any text will do as an item. */
  readonly ofText?: boolean;
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
function argumentsOf(contract: OperationContract): Argument[] {
  const schema = z.toJSONSchema(contract.input, { io: 'input', unrepresentable: 'any' }) as JsonSchema; // what zod writes
  return argumentsIn(schema, [], contract);
}

function argumentsIn(schema: JsonSchema, at: readonly string[], contract: OperationContract): Argument[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const found = property.anyOf?.find(({ type }) => type !== 'null') ?? property;
    const required = schema.required?.includes(name) === true;
    return described(found, { path: [...at, name], name, required, nullable: found !== property }, contract);
  });
}

interface Found extends Pick<Argument, 'path' | 'required' | 'nullable'> {
  readonly name: string;
}

function described(schema: JsonSchema, { name, ...found }: Found, contract: OperationContract): Argument[] {
  if (schema.enum !== undefined) return [{ ...found, kind: 'enum', allowed: schema.enum }];
  if (schema.type === 'boolean') return [];
  if (schema.properties !== undefined) return argumentsIn(schema, found.path, contract);
  if (schema.type === 'array' && schema.items !== undefined) return arrayWithItems(schema.items, name, found, contract);
  const around = found.path.filter((key) => key !== '0').at(-2);
  const kind = KIND_BY_NAME.get(`${around}.${name}`) ?? KIND_BY_NAME.get(name);
  if (kind === undefined) throw new Error(`${contract.name}: say in argument-kinds.ts of what kind ${name} is`);
  const lookedUp = LOOKED_UP.has(name) && (contract.kind === 'query' || contract.area === 'loop');
  return [{ ...found, kind: lookedUp ? 'word' : kind }];
}

function arrayWithItems(
  items: JsonSchema,
  name: string,
  found: Omit<Found, 'name'>,
  contract: OperationContract,
): Argument[] {
  const item = { path: [...found.path, '0'], name: `${name}[]`, required: false, nullable: false };
  const nested = described(items, item, contract);
  const ofText = nested.length === 1 && ['title', 'path'].includes(nested[0]?.kind ?? '');
  const kind = contract.itemwise?.argument === found.path[0] && found.path.length === 1 ? 'usage_reports' : 'array';
  return [{ ...found, kind, ofText }, ...nested];
}

/** Every operation with its arguments, in catalogue order. */
export const operationsWithArguments = () =>
  allOperations.map((contract) => ({ contract, parameters: argumentsOf(contract) }));
