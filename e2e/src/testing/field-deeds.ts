import type { FieldWorld, Deed } from './field-world.js';
import { handshakeReads } from './handshake-reads.js';
import { offerEverySecret, offerSecretsInTurn } from './secret-deeds.js';
import { USAGE_DEEDS } from './usage-deeds.js';

/** What the cases have done outside the catalogue, by their words. */
export const DEEDS: Readonly<Record<string, Deed>> = {
  'start a second gateway and a second audit-writer on the same database': async (world) => {
    const { stack } = world;
    world.gateways.splice(0, world.gateways.length, ...stack.gateways.slice(0, 1), await stack.start('mcp-gateway'));
    stack.writers.push(await stack.start('audit-writer'));
  },

  'two audit-writers, SIGKILL one of them in the middle': async (world) => {
    const victim = await world.stack.start('audit-writer');
    world.afterAnswers(30, () => victim.kill());
  },

  // The chain begins while 64 agents write: two audit-writers find it empty at the same time.
  'a fresh workspace': async (world) => {
    const { stack } = world;
    await Promise.all(stack.writers.splice(0).map((writer) => writer.stop()));
    await world.enterWorkspace();
    world.afterAnswers(world.answers.length + 20, () => startTwoWriters(world));
  },

  // What a clone on another computer has of the past is what the server has; nothing of it lies on a disk.
  'a fresh clone on another computer, no local store': async () => undefined,

  'each of cases/secrets/positives in each text field': offerEverySecret,

  'a refused write, then scan every column, jsonb and search index': offerSecretsInTurn,

  'a workspace with 1,000,000 rows; initialize and server/discover': async (world) => {
    world.found.set('reads', await handshakeReads(100_000));
  },

  ...USAGE_DEEDS,
};

async function startTwoWriters({ stack }: FieldWorld): Promise<void> {
  stack.writers.push(...(await Promise.all([stack.start('audit-writer'), stack.start('audit-writer')])));
}
