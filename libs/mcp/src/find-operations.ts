import { allOperations, type OperationContract, type Scope } from '@perdure/contracts';
import { z } from 'zod';
import type { PortableSchema } from './portable-schema.js';
import { operationArguments, type ToolContract } from './tool.js';

/** A list stays under 20 kB (DESIGN §8); the first match is given whatever its size. */
const MAX_ANSWER_CHARACTERS = 20_000;
const DEFAULT_LIMIT = 10;

export const findOperationsContract = {
  name: 'find_operations',
  title: 'Find operations',
  summary:
    'Search every operation by words ("verify audit", "priority") when no listed tool fits. Gives name, summary, scope, whether your credential has it, and the arguments; call one with run_operation.',
  toolSet: 'core',
  kind: 'query',
  scope: 'any',
  idempotent: true,
  input: z.strictObject({
    query: z.string().min(1).max(500),
    limit: z.int().min(1).max(200).optional(),
  }),
  output: z.object({
    items: z.array(
      z.object({
        name: z.string(),
        summary: z.string(),
        scope: z.string(),
        allowed: z.boolean(),
        input_schema: z.record(z.string(), z.unknown()),
      }),
    ),
    next_cursor: z.string().nullable(),
  }),
} as const satisfies ToolContract;

interface Entry {
  readonly contract: OperationContract;
  readonly inputSchema: PortableSchema;
  /** Words by where they stand; a name says more about an operation than its summary. */
  readonly fields: readonly { readonly words: readonly string[]; readonly weight: number }[];
}

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

const index: readonly Entry[] = allOperations.map((contract) => ({
  contract,
  inputSchema: operationArguments(contract),
  fields: [
    { words: wordsOf(contract.name), weight: 4 },
    { words: wordsOf(`${contract.title} ${contract.area}`), weight: 2 },
    { words: wordsOf(contract.summary), weight: 1 },
  ],
}));

/** Operations that match, best first, as far as they fit. */
export function findOperations(query: string, limit: number = DEFAULT_LIMIT, scopes: ReadonlySet<Scope> = new Set()) {
  const items = [];
  let size = 0;
  for (const { contract, inputSchema } of ranked(query).slice(0, limit)) {
    const { name, summary, scope } = contract;
    const item = { name, summary, scope, allowed: scope === 'any' || scopes.has(scope), input_schema: inputSchema };
    size += JSON.stringify(item).length;
    if (size > MAX_ANSWER_CHARACTERS && items.length > 0) break;
    items.push(item);
  }
  return { items, next_cursor: null };
}

/** The names nearest to a mistyped one, at most three. */
export const similarNames = (name: string): string[] =>
  ranked(name)
    .slice(0, 3)
    .map(({ contract }) => contract.name);

/** Ties keep the order of the catalogue, so the same query always gives the same list. */
function ranked(query: string): Entry[] {
  const scores = new Map<Entry, number>();
  for (const word of new Set(wordsOf(query))) {
    const strengths = index.map((entry) => ({ entry, strength: strengthOf(word, entry) }));
    const matches = strengths.filter(({ strength }) => strength > 0);
    // A word that stands in every operation ("the") tells none of them apart: log(1) is 0.
    const rarity = Math.log(index.length / Math.max(matches.length, 1));
    for (const { entry, strength } of matches) scores.set(entry, (scores.get(entry) ?? 0) + strength * rarity);
  }
  return [...scores]
    .filter(([, score]) => score > 0)
    .sort(([, left], [, right]) => right - left)
    .map(([entry]) => entry);
}

function strengthOf(word: string, { fields }: Entry): number {
  return Math.max(
    ...fields.map(({ words, weight }) => weight * Math.max(0, ...words.map((own) => likeness(word, own)))),
  );
}

/** 1 for the same word, 0.7 where one begins with the other from three letters on ("sessions", "session"), else 0. */
function likeness(asked: string, own: string): number {
  if (asked === own) return 1;
  if (Math.min(asked.length, own.length) < 3) return 0;
  return own.startsWith(asked) || asked.startsWith(own) ? 0.7 : 0;
}
