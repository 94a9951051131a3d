import { allOperations, type OperationContract } from '@perdure/contracts';
import type { TestActor, TestApp } from '@perdure/testkit';
import type { Pool } from 'pg';
import { fixtureFor, type Fixture } from './call-fixture.js';
import { mcpDoor, trpcDoor, type Door, type Outcome } from './doors.js';
import { restDoor } from './rest-door.js';
import { VALID_ARGUMENTS, type Arguments } from './valid-arguments.js';
import type { WholeStack } from './whole-stack.js';

export const ULID = /[0-7][0-9A-HJKMNP-TV-Z]{25}/g;

/** A call and everything that came back for it. */
export interface Exchange {
  readonly operation: string;
  readonly door: string;
  readonly sent: string;
  readonly outcome: Outcome;
}

/** Somebody who calls through every door; what they hear is kept. */
export class Party {
  readonly heard: Exchange[] = [];

  constructor(
    readonly name: string,
    readonly actor: TestActor,
    private readonly doors: readonly Door[],
  ) {}

  async call(contract: OperationContract, input: Arguments, chosen: number): Promise<Outcome> {
    const door = this.doors[chosen % this.doors.length];
    if (door === undefined) throw new Error('there is no door');
    const outcome = await door.call(contract, input);
    this.heard.push({ operation: contract.name, door: door.name, sent: JSON.stringify(input), outcome });
    return outcome;
  }
}

/** A workspace with its owner: all of its texts hold a mark that stands nowhere else. */
export interface Tenant {
  readonly id: string;
  readonly mark: string;
  readonly owner: Party;
  readonly fixture: Fixture;
  /** Things of each kind that stay. */
  readonly things: readonly string[];
}

export async function openParty(
  stack: WholeStack,
  apps: { readonly gateway: TestApp; readonly api: TestApp },
  name: string,
  actor: TestActor,
): Promise<Party> {
  const client = await stack.connect(apps.gateway, actor.token);
  const rest = await restDoor(apps.api, () => actor.token);
  return new Party(name, actor, [mcpDoor(() => client), trpcDoor(apps.api, () => actor.token), rest]);
}

export async function openTenant(
  stack: WholeStack,
  apps: { readonly gateway: TestApp; readonly api: TestApp },
  mark: string,
): Promise<Tenant> {
  const { installation } = stack;
  const workspace = await installation.workspace();
  const fixture = await fixtureFor(installation, workspace.owner, mark);
  const { session, decision, item, rule, credential, member, project } = fixture;
  const made = [session, decision, item, rule, credential, member].map((make) => make());
  const owner = await openParty(stack, apps, mark, workspace.owner);
  return { id: workspace.id, mark, owner, fixture, things: [project, workspace.id, ...(await Promise.all(made))] };
}

/** Arguments that the operation accepts, every free text replaced by `text`. */
export async function argumentsWith(
  { name }: OperationContract,
  fixture: Fixture,
  { choose, text }: { choose: (below: number) => number; text: string },
): Promise<Arguments> {
  const alternatives = VALID_ARGUMENTS[name] ?? [];
  const valid = alternatives[choose(alternatives.length)];
  if (valid === undefined) return {};
  return mapTexts(await valid(fixture), (one) => (one === 'x' ? text : one)) as Arguments; // with the same keys
}

/** The same value with every text, at any depth, put through `change`. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]));
}

/** Lists that need no arguments, so that a cursor is all that differs. */
export const openLists = allOperations.filter(
  ({ input, area }) => 'cursor' in input.shape && area !== 'platform' && input.safeParse({}).success,
);

/** Columns that change by themselves: when a credential was used, how much is stored, which transaction wrote that. */
const PASSING = ['last_used_at', 'stored_bytes', 'stored_bytes_measured_at', 'changed_in'];
const OF_THE_WRITER = ['audit_pending', 'audit_entry', 'audit_head'];

/** Everything that a workspace holds, as one text for each table: equal ones mean that nothing of it was touched. */
export async function rowsOf(admin: Pool, workspaceId: string): Promise<Record<string, string>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relname = ANY($1)`,
    [OF_THE_WRITER],
  );
  const each = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, coalesce(string_agg((to_jsonb(t) - $2::text[])::text, '' ORDER BY t::text), '') AS content
       FROM ${name} t WHERE workspace_id = $1`,
  );
  const { rows } = await admin.query<{ name: string; content: string }>(each.join(' UNION ALL '), [
    workspaceId,
    PASSING,
  ]);
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
}
