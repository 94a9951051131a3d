import { catalogue, type OperationContract } from '@perdure/contracts';
import type { TestActor, TestInstallation } from '@perdure/testkit';

/** Fresh things to name in a call, so that each call is valid by itself. */
export interface Fixture {
  readonly project: string;
  /** Different with every use: for names that must be new. */
  readonly unique: () => string;
  readonly session: () => Promise<string>;
  readonly decision: () => Promise<string>;
  readonly item: () => Promise<string>;
  readonly claimedItem: () => Promise<string>;
  readonly rule: () => Promise<string>;
  readonly credential: () => Promise<string>;
  readonly member: () => Promise<string>;
  readonly batch: () => Promise<string>;
  /** Another workspace, for what the operator of the installation does to one. */
  readonly workspace: () => Promise<string>;
  readonly otherProject: () => Promise<string>;
  /** For a case's `cursor_of`: a cursor that does not belong to this operation here; else undefined. */
  readonly foreignCursor: (value: unknown, contract: OperationContract) => Promise<string | undefined>;
}

/** @param mark what every name begins with: lower-case letters and digits */
export async function fixtureFor(installation: TestInstallation, actor: TestActor, mark = 'n'): Promise<Fixture> {
  const { call } = installation;
  let used = 0;
  const unique = () => `${mark}-${(used += 1)}`;
  const otherProject = async () => {
    const { project } = await call(catalogue.projects.createProject, actor, { name: unique() });
    return project.id;
  };
  const project = await otherProject();
  const item = async () => {
    const { backlog_item } = await call(catalogue.backlog.fileBacklogItem, actor, { ...ITEM, project });
    return backlog_item.id;
  };
  return {
    project,
    unique,
    otherProject,
    foreignCursor: (value, contract) => foreignCursor(installation, actor, value, contract),
    item,
    session: async () => {
      const input = { project, computer: 'desk', branch: unique() };
      return (await call(catalogue.sessions.startBuildSession, actor, input)).build_session.id;
    },
    decision: async () => {
      const { decision } = await call(catalogue.decisions.appendDecisionLog, actor, { ...DECISION, project });
      return decision.id;
    },
    rule: async () => {
      const { rule } = await call(catalogue.rules.createRule, actor, { ...RULE, project });
      return rule.id;
    },
    credential: async () => {
      const input = { actor: unique(), preset: 'reporter' as const };
      return (await call(catalogue.access.issueCredential, actor, input)).credential.id;
    },
    batch: async () =>
      (await call(catalogue.usage.submitUsageBatch, actor, { batch_key: unique(), reports: [] })).batch_id,
    member: async () => {
      const input = { email: `${unique()}@example.com`, role: 'viewer' as const };
      return (await call(catalogue.access.inviteMember, actor, input)).member.id;
    },
    workspace: async () => (await installation.workspace()).id,
    claimedItem: async () => {
      const id = await item();
      await call(catalogue.backlog.claimBacklogItem, actor, { backlog_item_id: id });
      return id;
    },
  };
}

export const DECISION = {
  title: 'x',
  rationale_markdown: 'x',
  decided_on: '2026-11-30',
  changes_public_contract: false,
  tags: ['t'],
  paths: ['src/a.ts'],
  kind: 'decision' as const,
};
export const ITEM = { title: 'x', body_markdown: 'x', priority: 'low' as const, category: 'chore' as const };
export const RULE = {
  title: 'x',
  body_markdown: 'x',
  triggers: {
    paths: ['*.ts'],
    operations: ['deploy'],
    languages: ['TypeScript'],
    code_patterns: ['x'],
    project_attributes: { k: ['v'] },
  },
};

/** Every workspace here has two projects at least, so a page of one leaves a cursor. */
async function foreignCursor(
  { call, workspace }: TestInstallation,
  actor: TestActor,
  value: unknown,
  contract: OperationContract,
): Promise<string | undefined> {
  if (typeof value !== 'object' || value === null || !('cursor_of' in value)) return undefined;
  const elsewhere = value.cursor_of === 'another workspace';
  if (!elsewhere && value.cursor_of !== 'another operation') throw new Error('whose cursor is not known');
  const owner = elsewhere ? (await workspace()).owner : actor;
  const lists = { projects: catalogue.projects.listProjects, events: catalogue.audit.listAuditEvents };
  for (const name of ['one', 'two']) if (elsewhere) await call(catalogue.projects.createProject, owner, { name });
  const useProjects = (contract.name === lists.projects.name) === elsewhere;
  const page = await call(useProjects ? lists.projects : lists.events, owner, { limit: 1 });
  return page.next_cursor ?? undefined;
}
