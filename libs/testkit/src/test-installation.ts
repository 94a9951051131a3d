import type { Caller, OperationContract, OutputOf, RawInputOf, ScopePreset } from '@perdure/contracts';
import { catalogue, DomainError, type ErrorBody } from '@perdure/contracts';
import { bootstrapInstallation, createOperations, type Operations } from '@perdure/operations';
import { createDataSource } from '@perdure/store';
import { createTestDatabase, type TestDatabase } from './test-database.js';

export interface TestActor {
  readonly caller: Caller;
  readonly token: string;
}

export interface TestWorkspace {
  readonly id: string;
  readonly owner: TestActor;
  /** A credential of a preset for an actor of that name. */
  readonly actor: (name: string, preset?: ScopePreset) => Promise<TestActor>;
}

/** A migrated database with the operations over it, as a process has them, and a platform operator. */
export interface TestInstallation {
  readonly database: TestDatabase;
  readonly operations: Operations;
  readonly platform: TestActor;
  readonly workspace: (name?: string) => Promise<TestWorkspace>;
  /** Calls an operation; answers are checked against their contract. */
  readonly call: <Contract extends OperationContract>(
    contract: Contract,
    actor: TestActor,
    input: RawInputOf<Contract> & { idempotency_key?: string },
  ) => Promise<OutputOf<Contract>>;
  readonly close: () => Promise<void>;
}

interface Options {
  readonly clock?: () => Date;
  readonly poolSize?: number;
  /** A migrated database to stand on, such as one of `createTestPostgres`; default: a new one. */
  readonly database?: TestDatabase;
}

export async function createTestInstallation(options: Options = {}): Promise<TestInstallation> {
  const { clock, poolSize = 10 } = options;
  const database = options.database ?? (await createTestDatabase());
  const dataSource = await createDataSource({ url: database.appUrl, poolSize, applicationName: 'perdure-test' });
  const operations = createOperations({
    dataSource,
    validateOutput: true,
    mcpUrl: 'http://127.0.0.1:7401/mcp',
    apiUrl: 'http://127.0.0.1:7400',
    ...(clock === undefined ? {} : { clock }),
    onInternalError: (error) => process.stderr.write(`${String(error instanceof Error ? error.stack : error)}\n`),
  });
  const call: TestInstallation['call'] = async (contract, actor, input) => {
    const { output } = await operations.run(contract, actor.caller, input, { requestId: 'test' });
    return output as OutputOf<typeof contract>; // validateOutput has checked it
  };
  const asActor = async (token: string | null): Promise<TestActor> => {
    const caller = token === null ? null : await operations.authenticate(token);
    if (token === null || caller === null) throw new Error('a new credential is not accepted');
    return { caller, token };
  };
  const platform = await asActor((await bootstrapInstallation(database.ownerUrl)).platformToken);
  return {
    database,
    operations,
    platform,
    call,
    workspace: async (name = 'acme') => {
      const made = await call(catalogue.platform.createWorkspace, platform, { name, slug: uniqueSlug(name) });
      const owner = await asActor(made.owner_secret);
      const actor = async (actorName: string, preset: ScopePreset = 'agent') =>
        asActor((await call(catalogue.access.issueCredential, owner, { actor: actorName, preset })).secret);
      return { id: made.workspace.id, owner, actor };
    },
    close: async () => {
      await operations.close();
      await dataSource.destroy();
      await database.drop();
    },
  };
}

let slugs = 0;
const uniqueSlug = (name: string) => `${name}-${(slugs += 1)}`;

/** The refusal a call ended in; fails when it succeeded or broke in another way. */
export async function refusalOf(call: Promise<unknown>): Promise<ErrorBody> {
  const outcome = await call.then(
    () => new Error('the call succeeded where a refusal was expected'),
    (error: unknown) => error,
  );
  if (outcome instanceof DomainError) return outcome.toBody();
  throw outcome;
}
