import { z } from 'zod';

/** Token counts fit a double exactly; a count beyond that is a mistake of the reader. */
const count = z.int().min(0);

const tokens = {
  input_tokens: count,
  output_tokens: count,
  cache_write_5m_tokens: count,
  cache_write_1h_tokens: count,
  cache_read_tokens: count,
};

/** Orders the reports of one transcript (U2): by `generation`, then `complete_bytes`, then `records`. */
const reportVersion = z.object({ generation: count, complete_bytes: count, records: count });

/**
 * One line of a batch, as the inbox holds it: what the columns and the sums over reports rely on. The inbox takes any
 * JSON, so that one bad line does not cost its sender the other 9,999; it is refused here, by its line.
 */
export const usageReport = z.looseObject({
  transcript_id: z.string().min(1).max(500),
  client: z.string().min(1).max(200),
  build_session_id: z.string().min(1).nullish(),
  version: reportVersion.nullish(),
  models: z.array(z.looseObject({ model: z.string().min(1).max(200), turns: count, ...tokens })).max(200),
});

export type UsageReport = z.output<typeof usageReport>;

/** The first thing that is wrong with a report, in one line that names the field and repeats no value. */
export function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (!issue) return 'the report cannot be read';
  const where = issue.path.length === 0 ? 'the report' : issue.path.join('.');
  return `${where}: ${issue.message}`.slice(0, 500);
}
