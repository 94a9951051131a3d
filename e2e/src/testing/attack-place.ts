import { catalogue, type BuildSessionObject, type OperationContract } from '@perdure/contracts';
import type { Door, Outcome } from './doors.js';
import type { McpClient, ToolAnswer } from './official-clients.js';

/** Where an attack is stored and read: a project of its own, through one door. */
export interface AttackPlace {
  readonly door: Door;
  readonly project: string;
  /** Of the same agent, for what is read as an agent reads it. */
  readonly client: McpClient;
}

export const DECISION = { rationale_markdown: 'Because.', decided_on: '2026-11-30', changes_public_contract: false };
const ITEM = { body_markdown: 'x', priority: 'low', category: 'chore' };

/** Accepted, or the test fails with the refusal. */
export async function accepted(
  door: Door,
  contract: OperationContract,
  input: object,
): Promise<Outcome['result'] & object> {
  const { result, error } = await door.call(contract, input);
  if (result === undefined) throw new Error(`refused: ${error?.message}`);
  return result;
}

export async function startOn({ door, project }: AttackPlace, computer: string): Promise<BuildSessionObject> {
  const input = { project, computer, branch: `b-${door.name}` };
  const { build_session } = await accepted(door, catalogue.sessions.startBuildSession, input);
  return build_session as BuildSessionObject; // the contract's output
}

/** Stores the value in every field of that kind that a brief or another agent shows. */
export async function storeText(place: AttackPlace, field: string, value: string): Promise<void> {
  const { door, project } = place;
  const [title, text] = field === 'title' ? [value, 'x'] : ['x', value];
  await accepted(door, catalogue.decisions.appendDecisionLog, {
    ...DECISION,
    project,
    title,
    rationale_markdown: text,
  });
  const { backlog_item } = await accepted(door, catalogue.backlog.fileBacklogItem, {
    ...ITEM,
    project,
    title,
    body_markdown: text,
  });
  const { id } = backlog_item as { id: string }; // the contract's output
  await accepted(door, catalogue.backlog.commentBacklogItem, { backlog_item_id: id, body_markdown: text });
  const session = await startOn(place, 'desk');
  await accepted(door, catalogue.sessions.prependBuildSessionLead, {
    build_session_id: session.id,
    new_lead_markdown: text,
  });
}

/** What an agent is shown of all that, over MCP: objects one by one, lists, and the brief. */
export async function readAll({ client, project }: AttackPlace): Promise<ToolAnswer[]> {
  const read = async (name: string, input: Record<string, unknown>) => client.call(name, input);
  const lists = await Promise.all(
    ['list_build_sessions', 'list_decision_log', 'list_backlog_items'].map((name) => read(name, { project })),
  );
  const [[session], [decision], [item]] = lists.map((list) => idsIn(list)) as [string[], string[], string[]]; // three
  return [
    ...lists,
    await read('get_build_session', { build_session_id: session }),
    await read('get_decision_log_entry', { decision_id: decision }),
    await read('get_backlog_item', { backlog_item_id: item }),
    await read('get_build_session_aggregate', { build_session_id: session }),
    await read('resume_brief', { project }),
  ];
}

const idsIn = ({ structuredContent }: ToolAnswer): string[] =>
  (structuredContent as { items: { id: string }[] }).items.map(({ id }) => id); // the shape of every list

export async function briefOf({ client, project }: AttackPlace): Promise<string> {
  const { structuredContent } = await client.call('resume_brief', { project, token_budget: 4_000 });
  return (structuredContent as { brief_markdown: string }).brief_markdown; // the contract's output
}
