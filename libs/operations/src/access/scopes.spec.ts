import { allOperations, operationExamples, SCOPES } from '@perdure/contracts';
import { createTestInstallation, refusalOf, type TestInstallation, type TestWorkspace } from '@perdure/testkit';

/** Arguments that an operation accepts: authorisation comes after parsing. */
const inputOf = (name: string) => operationExamples.find(({ operation }) => operation === name)?.input;

describe('scopes', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
  });
  afterAll(() => installation.close());

  const scoped = allOperations.filter(({ scope }) => scope !== 'any');

  it('I5: only who_am_i asks for no scope', () => {
    const open = allOperations.filter(({ scope }) => scope === 'any').map(({ name }) => name);
    expect(open).toEqual(['who_am_i']);
  });

  it.each(scoped.map((contract) => [contract.name, contract.scope, contract] as const))(
    'I5: %s refuses a caller who holds every scope but %s (and what does as well), and names it',
    async (name, scope, contract) => {
      const sufficient: readonly string[] = [scope, ...(contract.alsoScopes ?? [])];
      const caller = {
        ...workspace.owner.caller,
        scopes: new Set(SCOPES.filter((held) => !sufficient.includes(held))),
      };
      const call = installation.operations.run(contract, caller, inputOf(name), { requestId: 'test' });
      const refusal = await refusalOf(call);
      expect([name, refusal.code, refusal.details['scope']]).toEqual([name, 'forbidden_scope', scope]);
    },
  );

  it.each(scoped.map((contract) => [contract.name, contract] as const))(
    'I5: %s does not ask for more than its scope before it looks at what it is called with',
    async (name, contract) => {
      const caller = { ...workspace.owner.caller, scopes: new Set(SCOPES.filter((held) => held === contract.scope)) };
      const outcome = await installation.operations
        .run(contract, caller, inputOf(name), { requestId: 'test' })
        .then(() => null)
        .catch((error: { code: string; details: { scope?: string } }) => error);
      const refusedFor = outcome?.code === 'forbidden_scope' ? outcome.details.scope : null;
      expect([name, refusedFor === contract.scope]).toEqual([name, false]);
    },
  );
});
