import { z } from 'zod';
import { count, id, instantInput, LIMITS, line, projectReference } from '../fields.js';

/** The most responses one report may carry: a transcript of 600 MB holds about 40,000. */
const RESPONSES_LIMIT = 100_000;

/** The five mutually exclusive token classes (U7). A count beyond 2^53 - 1 is a mistake of the reader. */
const tokenClasses = {
  input_tokens: count(),
  output_tokens: count(),
  cache_write_5m_tokens: count(),
  cache_write_1h_tokens: count(),
  cache_read_tokens: count(),
};

/** Clients join a session's id and a sub-agent's. */
export const transcriptId = () => line();

/** Orders the reports of one transcript (U2): by `generation`, then `complete_bytes`, then `records`. */
const reportVersion = z.strictObject({
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

const usageOfModel = z.strictObject({ model: line(), turns: count(), ...tokenClasses });

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

export const usageTranscript = z.strictObject(transcriptFields).superRefine(refuseRepeated);

/** A line of a batch: a transcript and where it belongs. */
export const usageReport = z
  .strictObject({
    build_session_id: id().optional(),
    project: projectReference().optional().describe('Where it belongs without a build session.'),
    ...transcriptFields,
  })
  .superRefine(refuseRepeated);

export type UsageTranscript = z.output<typeof usageTranscript>;
export type UsageResponse = z.output<typeof usageResponse>;
export type UsageReport = z.output<typeof usageReport>;

/** One response is named once. */
function refuseRepeated(
  { responses = [] }: { readonly responses?: readonly UsageResponse[] | undefined },
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  const repeated = responses.findIndex(({ hash }) => seen.size === seen.add(hash).size);
  if (repeated < 0) return;
  context.addIssue({ code: 'custom', path: ['responses', repeated, 'hash'], message: 'is given twice' });
}
