import { catalogue, type DecisionObject, type ErrorBody } from '@perdure/contracts';
import type { TestApp, TestWorkspace } from '@perdure/testkit';
import { transportRefusal } from './doors.js';
import type { McpClient, ToolAnswer } from './official-clients.js';
import type { WholeStack } from './whole-stack.js';

/** An agent that appends decisions one after the other and gives none up. */
export interface SteadyWriter {
  readonly workspaceId: string;
  /** What was acknowledged, in its order. */
  readonly decisionIds: string[];
}

export interface Writing {
  readonly writers: readonly SteadyWriter[];
  /** How many appends were acknowledged so far. */
  readonly acknowledged: () => number;
  /** One was refused for another reason than that the system could not serve just then. */
  readonly failed: () => boolean;
  readonly done: Promise<void>;
}

interface Load {
  readonly workspaces: readonly TestWorkspace[];
  readonly gateways: readonly TestApp[];
  readonly writers: number;
  readonly eventsEach: number;
}

/** Each writer has a credential of its own; they are spread over workspaces and gateways. */
export async function startWriting(stack: WholeStack, load: Load): Promise<Writing> {
  const { workspaces, gateways } = load;
  for (const { owner } of workspaces) {
    await stack.installation.call(catalogue.projects.createProject, owner, { name: 'p' });
  }
  const prepared = await Promise.all(
    Array.from({ length: load.writers }, async (_, index) => {
      const workspace = workspaces[index % workspaces.length];
      const gateway = gateways[index % gateways.length];
      if (workspace === undefined || gateway === undefined) throw new Error('nowhere to write');
      const { token } = await workspace.actor(`writer-${index}`);
      const client = await stack.connect(gateway, token);
      return { client, writer: { workspaceId: workspace.id, decisionIds: new Array<string>() } };
    }),
  );
  const writers = prepared.map(({ writer }) => writer);
  let failed = false;
  const done = Promise.all(prepared.map(({ client, writer }) => write(client, writer, load.eventsEach)));
  done.catch(() => void (failed = true));
  return {
    failed: () => failed,
    writers,
    acknowledged: () => writers.reduce((sum, { decisionIds }) => sum + decisionIds.length, 0),
    done: done.then(() => undefined),
  };
}

async function write(client: McpClient, { decisionIds }: SteadyWriter, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    decisionIds.push(await append(client, `entry ${number}`));
  }
}

/** While the database is away a call is refused as unavailable; whether it was committed, its key tells. */
async function append(client: McpClient, title: string): Promise<string> {
  const entry = {
    title,
    rationale_markdown: 'Because.',
    decided_on: '2026-11-30',
    changes_public_contract: false,
    project: 'p',
    idempotency_key: title,
  };
  for (;;) {
    const id = await client.call('append_decision_log', entry).then(idOf, refusedAtTheDoor);
    if (id !== null) return id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Null when it should be tried again. */
function idOf({ isError, structuredContent, _meta }: ToolAnswer): string | null {
  // Both as DESIGN §4 and the contract have them.
  if (isError !== true) return (structuredContent as { decision: DecisionObject }).decision.id;
  const error = _meta?.['dev.perdure/error'] as ErrorBody; // DESIGN §4
  if (error.kind === 'unavailable') return null;
  throw new Error(`an append was refused: ${error.message}`);
}

/** Without a database the credential cannot be looked up either. */
function refusedAtTheDoor(error: Error): null {
  if (transportRefusal(error).kind === 'unavailable') return null;
  throw error;
}
