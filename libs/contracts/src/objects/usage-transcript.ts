import { z } from 'zod';
import { count, freeText, id, instantInput, LIMITS, line, projectReference } from '../fields.js';

/** Longest transcript id, in code points: clients join a session's id and a sub-agent's. */
const TRANSCRIPT_ID_LIMIT = 500;

/** The most responses one report may carry: a transcript of 600 MB holds about 40,000. */
export const RESPONSES_LIMIT = 100_000;

/** The five mutually exclusive token classes (U7). A count beyond 2^53 - 1 is a mistake of the reader. */
const tokenClasses = {
  input_tokens: count(),
  output_tokens: count(),
  cache_write_5m_tokens: count(),
  cache_write_1h_tokens: count(),
  cache_read_tokens: count(),
};

export const transcriptId = () => freeText(TRANSCRIPT_ID_LIMIT);

/** Orders the reports of one transcript (U2): by `generation`, then `complete_bytes`, then `records`. */
export const reportVersion = z.strictObject({
  generation: count().describe('Number of the counting algorithm; a corrected one counts higher.'),
  complete_bytes: count().describe('Bytes read, up to the end of the last whole line.'),
  records: count().describe('Lines read.'),
});

/** A billed response of the transcript (U6): `hash` stands for its id, so that copies in other transcripts are known. */
export const usageResponse = z.strictObject({
  hash: z.string().regex(/^[0-9a-f]{16,64}$/, 'must be 16 to 64 lower-case hex digits'),
  first_at: instantInput(),
  model: line(),
  ...tokenClasses,
});

export const usageOfModel = z.strictObject({ model: line(), turns: count(), ...tokenClasses });

/** One transcript as a reader reports it (U1, U6, U7): the same shape in a call, in a batch and from libs/transcripts. */
const transcriptFields = {
  transcript_id: transcriptId().describe("The transcript's own id. Send the same id when you report it again."),
  client: line(),
  parent_transcript_id: transcriptId().optional().describe('Of a sub-agent: the transcript that started it.'),
  version: reportVersion.optional(),
  first_at: instantInput().optional(),
  last_at: instantInput().optional(),
  prompts: count().optional().describe('What a human typed, apart from turns.'),
  quality: z.enum(['exact', 'estimated']).optional(),
  replayed_responses: count().optional().describe('Responses left out because an older transcript has them.'),
  warnings: z.array(line()).max(LIMITS.array).optional(),
  responses: z
    .array(usageResponse)
    .max(RESPONSES_LIMIT)
    .optional()
    .describe('Those that models count, so that copies in other transcripts count once.'),
  models: z.array(usageOfModel).max(LIMITS.array),
};

export const usageTranscript = z.strictObject(transcriptFields).superRefine(refuseWhatDoesNotAddUp);

/** A line of a batch: a transcript and where it belongs. */
export const usageReport = z
  .strictObject({
    build_session_id: id().optional(),
    project: projectReference().optional().describe('Where it belongs without a build session.'),
    ...transcriptFields,
  })
  .superRefine(refuseWhatDoesNotAddUp);

export type UsageTranscript = z.output<typeof usageTranscript>;
export type UsageResponse = z.output<typeof usageResponse>;
export type UsageReport = z.output<typeof usageReport>;

const CLASSES = [
  'input_tokens',
  'output_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'cache_read_tokens',
] as const;

type Sums = Record<(typeof CLASSES)[number] | 'turns', number>;

interface Told {
  readonly models: readonly (Sums & { readonly model: string })[];
  readonly responses?: readonly UsageResponse[] | undefined;
}

/**
 * The responses are part of what the models say: taking one away that another transcript owns must never leave less than
 * nothing (U6). And one response is named once.
 */
function refuseWhatDoesNotAddUp({ models, responses = [] }: Told, context: z.RefinementCtx): void {
  if (responses.length === 0) return;
  const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
  const left = new Map<string, Sums>();
  for (const { model, ...sums } of models) left.set(model, added(left.get(model), sums, 1));
  const seen = new Set<string>();
  for (const [index, { hash, model, ...response }] of responses.entries()) {
    if (seen.has(hash)) return refuse(['responses', index, 'hash'], 'is given twice');
    seen.add(hash);
    const rest = left.get(model);
    if (rest === undefined) return refuse(['responses', index, 'model'], 'is not among the models');
    const after = added(rest, { ...response, turns: 1 }, -1);
    const exceeded = (['turns', ...CLASSES] as const).find((name) => after[name] < 0);
    if (exceeded !== undefined)
      return refuse(['responses', index], `bring ${exceeded} over what models says for this model`);
    left.set(model, after);
  }
}

function added(sums: Sums | undefined, more: Sums, sign: 1 | -1): Sums {
  const of = (name: keyof Sums) => (sums?.[name] ?? 0) + sign * more[name];
  return {
    turns: of('turns'),
    input_tokens: of('input_tokens'),
    output_tokens: of('output_tokens'),
    cache_write_5m_tokens: of('cache_write_5m_tokens'),
    cache_write_1h_tokens: of('cache_write_1h_tokens'),
    cache_read_tokens: of('cache_read_tokens'),
  };
}
