import { type Caller, catalogue, type OperationContract, type OutputOf, type ScopePreset } from '@perdure/contracts';
import { createDataSource } from '@perdure/store';
import { ulid } from 'ulid';
import { createOperations, type Operations } from '../dispatcher/create-operations.js';

export interface DemoCredentials {
  readonly workspace_id: string;
  readonly project: string;
  readonly agent_token: string;
  readonly measurer_token: string;
  readonly reporter_token: string;
  readonly auditor_token: string;
  readonly admin_token: string;
}

interface SeedOptions {
  /** A connection as `perdure_app`. */
  readonly appUrl: string;
  readonly platformToken: string;
}

/** A first workspace with a project of the same name and one credential of each preset, made through the operations. */
export async function seedDemo({ appUrl, platformToken }: SeedOptions): Promise<DemoCredentials> {
  return withOperations(appUrl, async (operations) => {
    const platform = await callerOf(operations, platformToken);
    const slug = `demo-${ulid().slice(-6).toLowerCase()}`;
    const first = await call(operations, catalogue.platform.createWorkspace, platform, {
      name: 'demo',
      slug: 'demo',
    }).catch(
      // A data folder that lost its stack.json still holds the first demo: the new one stands beside it.
      () => call(operations, catalogue.platform.createWorkspace, platform, { name: 'demo', slug }),
    );
    const admin_token = requireSecret(first.owner_secret);
    const owner = await callerOf(operations, admin_token);
    const { project } = await call(operations, catalogue.projects.createProject, owner, { name: 'demo' });
    const issue = async (preset: ScopePreset) =>
      requireSecret(
        (await call(operations, catalogue.access.issueCredential, owner, { actor: preset, preset })).secret,
      );
    return {
      workspace_id: first.workspace.id,
      project: project.slug,
      agent_token: await issue('agent'),
      measurer_token: await issue('measurer'),
      reporter_token: await issue('reporter'),
      auditor_token: await issue('auditor'),
      admin_token,
    };
  });
}

/** Whether the database knows the token as a credential that may be used. */
export async function validateToken(appUrl: string, token: string): Promise<boolean> {
  return withOperations(appUrl, async ({ authenticate }) => (await authenticate(token)) !== null);
}

async function withOperations<Result>(
  appUrl: string,
  work: (operations: Operations) => Promise<Result>,
): Promise<Result> {
  const dataSource = await createDataSource({ url: appUrl, poolSize: 1, applicationName: 'perdure-setup' });
  const operations = createOperations({ dataSource });
  try {
    return await work(operations);
  } finally {
    await operations.close();
    await dataSource.destroy();
  }
}

async function callerOf({ authenticate }: Operations, token: string): Promise<Caller> {
  const caller = await authenticate(token);
  if (caller === null) throw new Error('a credential that was just issued is not accepted');
  return caller;
}

async function call<Contract extends OperationContract>(
  { run }: Operations,
  contract: Contract,
  caller: Caller,
  input: unknown,
): Promise<OutputOf<Contract>> {
  const { output } = await run(contract, caller, input, { requestId: 'setup' });
  return output as OutputOf<Contract>; // the dispatcher returns what the contract's handler gave
}

function requireSecret(secret: string | null): string {
  if (secret === null) throw new Error('a new credential came without its secret');
  return secret;
}
