import { catalogue, type OperationContract } from '@perdure/contracts';
import { DECISION, fixtureFor } from './call-fixture.js';
import { mcpDoor, type Door } from './doors.js';
import type { Deed, FieldWorld } from './field-world.js';
import { lookAlikes, offeredSecrets, type OfferedSecret } from './secret-cases.js';
import { secretFields } from './secret-fields.js';
import { makeOffers, type Offer, type OfferOutcomes } from './secret-offers.js';

/** What the deeds with secrets found out, kept as `secrets`. */
export interface SecretFindings {
  readonly secrets: readonly OfferedSecret[];
  readonly refused: OfferOutcomes;
  /** Ids of the look-alikes that were refused or did not come back as they were. */
  readonly lookAlikes: readonly string[];
}

/** Each secret in each marked field of each operation, over MCP; then each look-alike, which must be taken. */
export const offerEverySecret: Deed = async (world) => {
  const { door, fields, secrets } = await prepared(world);
  const offers = fields.flatMap((field) => secrets.map((offered) => ({ door, field, offered })));
  const refused = await makeOffers(offers);
  const changed: string[] = [];
  for (const { id, text } of lookAlikes()) {
    const input = { ...DECISION, project: world.names['$P'], rationale_markdown: text };
    const { result } = await door.call(catalogue.decisions.appendDecisionLog, input);
    const { rationale_markdown: stored } = (result?.['decision'] ?? {}) as { rationale_markdown?: string }; // the contract's
    if (stored !== text) changed.push(id);
  }
  const findings: SecretFindings = { secrets, refused, lookAlikes: changed };
  world.found.set('secrets', findings);
};

/** Each secret once, in one field after the other. */
export const offerSecretsInTurn: Deed = async (world) => {
  const { door, fields, secrets } = await prepared(world);
  const offers = secrets.flatMap((offered, index): Offer[] => {
    // 57 secrets and some 140 fields: every other field, those that store and those that search.
    const field = fields[(index * 2) % fields.length];
    return field === undefined ? [] : [{ door, field, offered }];
  });
  const findings: SecretFindings = { secrets, refused: await makeOffers(offers), lookAlikes: [] };
  world.found.set('secrets', findings);
};

async function prepared(world: FieldWorld) {
  const { installation } = world.stack;
  const fields = await secretFields(await fixtureFor(installation, world.owner));
  const issued = await installation.call(catalogue.access.issueCredential, world.owner, {
    actor: 'pasted',
    preset: 'agent',
  });
  return { door: await doorOf(world), fields, secrets: offeredSecrets(issued.secret ?? '') };
}

async function doorOf({ stack, owner }: FieldWorld): Promise<Door> {
  const [gateway] = stack.gateways;
  if (gateway === undefined) throw new Error('there is no gateway');
  const [own, operator] = [
    await stack.connect(gateway, owner.token),
    await stack.connect(gateway, stack.installation.platform.token),
  ];
  return mcpDoor(({ scope }: OperationContract) => (scope === 'platform:admin' ? operator : own));
}
