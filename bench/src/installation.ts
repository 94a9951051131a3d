import { catalogue, type Caller, type OperationContract, type OutputOf, type RawInputOf } from '@perdure/contracts';
import { bootstrapInstallation, createOperations, type Operations } from '@perdure/operations';
import { createDataSource } from '@perdure/store';
import type { BenchDatabase } from './bench-cluster.js';

/** An agent with an open session of its own in a project. */
export interface Agent {
  readonly caller: Caller;
  readonly token: string;
  readonly projectId: string;
  readonly sessionId: string;
}

/** The operations over a database, in this process, as an application has them: answers unchecked as in production. */
export interface Installation {
  readonly operations: Operations;
  call<Contract extends OperationContract>(
    contract: Contract,
    caller: Caller,
    input: RawInputOf<Contract>,
  ): Promise<OutputOf<Contract>>;
  /** So many agents, evenly over so many new workspaces, each workspace with one project. */
  agents(count: number, workspaces: number): Promise<Agent[]>;
  /** A new workspace with one project. */
  workspace(): Promise<{ readonly owner: Caller; readonly projectId: string }>;
  close(): Promise<void>;
}

interface Options {
  readonly poolSize: number;
  readonly onCommitted?: (workspaceId: string) => void;
}

export async function openInstallation(database: BenchDatabase, options: Options): Promise<Installation> {
  const { poolSize, onCommitted } = options;
  const dataSource = await createDataSource({ url: database.appUrl, poolSize, applicationName: 'perdure-bench' });
  const operations = createOperations({
    dataSource,
    ...(onCommitted === undefined ? {} : { onCommitted }),
    onInternalError: (error) => console.error(error),
  });
  const call: Installation['call'] = async (contract, caller, input) => {
    const { output } = await operations.run(contract, caller, input, { requestId: 'bench' });
    return output as OutputOf<typeof contract>; // the dispatcher returns what the contract's handler gave
  };
  const callerOf = async (token: string | null): Promise<Caller> => {
    const caller = token === null ? null : await operations.authenticate(token);
    if (caller === null) throw new Error('a credential that was just issued is not accepted');
    return caller;
  };
  let extra = 1_000;
  const platformCaller = async () => callerOf((await bootstrapInstallation(database.ownerUrl)).platformToken);
  const workspace = async (platform: Caller, number: number) => {
    const slug = `bench-${Date.now().toString(36)}-${number}`;
    const { owner_secret } = await call(catalogue.platform.createWorkspace, platform, { name: slug, slug });
    const owner = await callerOf(owner_secret);
    const { project } = await call(catalogue.projects.createProject, owner, { name: 'bench' });
    return { owner, projectId: project.id };
  };
  const agent = async ({ owner, projectId }: Awaited<ReturnType<typeof workspace>>, number: number): Promise<Agent> => {
    const name = `agent-${number}`;
    const { secret } = await call(catalogue.access.issueCredential, owner, { actor: name, preset: 'agent' });
    const caller = await callerOf(secret);
    const started = await call(catalogue.sessions.startBuildSession, caller, {
      project: projectId,
      computer: `computer-${number}`,
      branch: 'main',
    });
    return { caller, token: secret ?? '', projectId, sessionId: started.build_session.id };
  };
  return {
    operations,
    call,
    workspace: async () => workspace(await platformCaller(), (extra += 1)),
    agents: async (count, workspaces) => {
      const platform = await platformCaller();
      const made: Awaited<ReturnType<typeof workspace>>[] = [];
      for (let number = 0; number < workspaces; number += 1) made.push(await workspace(platform, number));
      const agents: Agent[] = [];
      for (let number = 0; number < count; number += 1) {
        const home = made[number % workspaces];
        if (home !== undefined) agents.push(await agent(home, number));
      }
      return agents;
    },
    close: () => dataSource.destroy(),
  };
}
