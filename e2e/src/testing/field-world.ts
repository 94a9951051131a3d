import {
  catalogue,
  DomainError,
  findOperation,
  type AuditEntryObject,
  type ErrorBody,
  type ScopePreset,
} from '@perdure/contracts';
import type { TestActor, TestApp, TestWorkspace } from '@perdure/testkit';
import { credentialsOf, type FieldCase } from './field-cases.js';
import type { McpClient, ToolAnswer } from './official-clients.js';
import type { Answer, Stage } from './run-steps.js';
import { chainOf, expectGaplessChain, linked, type ChainEntry } from './stored-chain.js';
import type { WholeStack } from './whole-stack.js';

/** What the cases of one file share: two gateways and at least one audit-writer. */
export interface FieldStack extends WholeStack {
  readonly gateways: readonly TestApp[];
  readonly writers: TestApp[];
}

export type Deed = (world: FieldWorld) => Promise<void>;

const PRESETS: Readonly<Record<string, ScopePreset>> = { admin: 'admin', auditor: 'auditor', measurer: 'measurer' };

/** A workspace of its own for one case, with two projects and every credential that its steps name. */
export class FieldWorld implements Stage {
  readonly names: Record<string, string> = {};
  readonly saved = new Map<string, Answer>();
  readonly answers: Answer[] = [];
  /** What deeds found out, for the invariant. */
  readonly found = new Map<string, unknown>();
  /** Where calls go; a deed may add one. */
  readonly gateways: TestApp[];
  /** Entries of the chain before the first step. */
  sizeBefore = 0;
  private workspace: TestWorkspace | null = null;
  private readonly actors = new Map<string, TestActor>();
  private readonly clients = new Map<string, Promise<McpClient>>();
  private readonly ambushes: { after: number; strike: () => Promise<void> }[] = [];
  private readonly striking: Promise<void>[] = [];

  constructor(
    readonly stack: FieldStack,
    readonly fieldCase: FieldCase,
    private readonly deeds: Readonly<Record<string, Deed>>,
  ) {
    this.gateways = [...stack.gateways];
  }

  get workspaceId(): string {
    if (this.workspace === null) throw new Error('the case has no workspace yet');
    return this.workspace.id;
  }

  get owner(): TestActor {
    if (this.workspace === null) throw new Error('the case has no workspace yet');
    return this.workspace.owner;
  }

  /** A new workspace; what is linked before the first step counts as before. */
  async enterWorkspace(): Promise<void> {
    const { installation } = this.stack;
    const workspace = await installation.workspace();
    this.workspace = workspace;
    this.clients.clear();
    for (const name of ['$P', '$P2']) {
      const { project } = await installation.call(catalogue.projects.createProject, workspace.owner, { name });
      this.names[name] = project.id;
    }
    const credentials = credentialsOf(this.fieldCase.steps).add('auditor');
    for (const name of credentials) {
      this.actors.set(name, await workspace.actor(name, PRESETS[name] ?? 'agent'));
    }
  }

  async begin(): Promise<void> {
    await this.enterWorkspace();
    await linked(this.stack.admin, [this.workspaceId]);
    this.sizeBefore = (await chainOf(this.stack.admin, this.workspaceId)).length;
  }

  gatewayCount(): number {
    return this.gateways.length;
  }

  async call(credential: string, gateway: number, op: string, args: Record<string, unknown>): Promise<Answer> {
    const client = await this.client(credential, gateway);
    return this.keep(toAnswer({ op, args }, await client.call(op, args)));
  }

  async callInProcess(credential: string, op: string, args: Record<string, unknown>): Promise<Answer> {
    const contract = findOperation(op);
    if (contract === undefined) throw new Error(`${op} is no operation`);
    const { caller } = this.actorOf(credential);
    const { run } = this.stack.installation.operations;
    const outcome = await run(contract, caller, args, { requestId: 'field' }).catch(refusalOf);
    if (outcome instanceof DomainError) return this.keep({ op, args, error: outcome.toBody(), replayed: false });
    return this.keep({ op, args, result: outcome.output, replayed: outcome.replayed });
  }

  private keep(answer: Answer): Answer {
    this.answers.push(answer);
    for (const ambush of this.ambushes.filter(({ after }) => after === this.answers.length)) {
      this.striking.push(ambush.strike());
    }
    return answer;
  }

  async perform(words: string): Promise<void> {
    const deed = this.deeds[words];
    if (deed === undefined) throw new Error(`nobody knows how to do this: ${words}`);
    await deed(this);
  }

  /** Has something happen in the middle: as soon as that many calls have been answered. */
  afterAnswers(after: number, strike: () => Promise<void>): void {
    this.ambushes.push({ after, strike });
  }

  /** Everything that was to happen in the middle has happened. */
  async settled(): Promise<void> {
    expect(this.striking).toHaveLength(this.ambushes.length);
    await Promise.all(this.striking);
  }

  /** Every answer kept as name[0], name[1] …; fails when there is none. */
  savedCopies(name: string): Answer[] {
    const copies = [...this.saved].filter(([key]) => key.startsWith(`${name}[`)).map(([, answer]) => answer);
    if (copies.length === 0) throw new Error(`nothing was kept as ${name}[i]`);
    return copies;
  }

  /** The answer kept under that name. */
  answer(name: string): Record<string, unknown> {
    const result = this.saved.get(name)?.result;
    if (result === undefined) throw new Error(`no answer was kept as ${name}`);
    return result;
  }

  /** Events of that type, as an auditor lists them; those still pending included. */
  async events(type: string): Promise<AuditEntryObject[]> {
    const events: AuditEntryObject[] = [];
    let cursor: string | null = null;
    do {
      const args: Record<string, unknown> = { type, limit: 200, ...(cursor === null ? {} : { cursor }) };
      const { result } = await this.call('auditor', 0, 'list_audit_events', args);
      const page = result as { items: AuditEntryObject[]; next_cursor: string | null }; // checked by the gateway
      events.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return events;
  }

  gaplessChain(): Promise<ChainEntry[]> {
    return expectGaplessChain(this.stack.admin, this.workspaceId);
  }

  actorOf(credential: string): TestActor {
    const actor = this.actors.get(credential);
    if (actor === undefined) throw new Error(`there is no ${credential}`);
    return actor;
  }

  private client(credential: string, gateway: number): Promise<McpClient> {
    const app = this.gateways[gateway];
    if (app === undefined) throw new Error(`there is no gateway ${gateway}`);
    const { token } = this.actorOf(credential);
    const key = `${credential} ${gateway}`;
    const client = this.clients.get(key) ?? this.stack.connect(app, token);
    this.clients.set(key, client);
    return client;
  }
}

function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}

function toAnswer(call: Pick<Answer, 'op' | 'args'>, { isError, structuredContent, _meta }: ToolAnswer): Answer {
  const replayed = _meta?.['dev.perdure/replayed'] === true;
  // DESIGN §4 says where a refusal stands; both are checked by whoever expects one or the other.
  if (isError === true) return { ...call, error: _meta?.['dev.perdure/error'] as ErrorBody, replayed };
  // An answer that is no refusal has structured content (DESIGN §4).
  return { ...call, result: structuredContent as Record<string, unknown>, replayed };
}
