import { z } from 'zod';
import { freeText, id, instant, line, uniqueArray } from '../fields.js';

export const RULE_SEVERITIES = ['info', 'warn', 'must'] as const;

/** Globs and patterns keep every character; what they mean is checked by the matcher, which knows both dialects. */
const trigger = () => freeText(1_000);

/** When a rule applies: every populated dimension must match, one trigger of it suffices (R1, R2). */
export const ruleTriggersInput = z.strictObject({
  paths: z.array(trigger()).max(200).optional(),
  operations: uniqueArray(line()).optional(),
  languages: uniqueArray(line()).optional(),
  code_patterns: z.array(trigger()).max(200).optional(),
  project_attributes: z.record(line(), z.array(line()).max(200)).optional(),
});

const ruleTriggers = z.object({
  paths: z.array(z.string()).optional(),
  operations: z.array(z.string()).optional(),
  languages: z.array(z.string()).optional(),
  code_patterns: z.array(z.string()).optional(),
  project_attributes: z.record(z.string(), z.array(z.string())).optional(),
});

export const ruleObject = z.object({
  id: id(),
  project_id: id().nullable(),
  title: z.string(),
  body_markdown: z.string(),
  triggers: ruleTriggers,
  always: z.boolean(),
  severity: z.enum(RULE_SEVERITIES),
  status: z.enum(['active', 'archived']),
  revision: z.int(),
  created_at: instant(),
  revised_at: instant(),
});

export type RuleObject = z.output<typeof ruleObject>;

/** Lists carry no bodies (DESIGN §8). */
export const listedRuleObject = ruleObject.omit({ body_markdown: true });

/** Which trigger of which dimension matched (R3). */
const matched = z.object({
  paths: z.array(z.string()).optional(),
  operations: z.array(z.string()).optional(),
  languages: z.array(z.string()).optional(),
  code_patterns: z.array(z.string()).optional(),
  project_attributes: z.array(z.string()).optional(),
  always: z.literal(true).optional(),
});

/** A rule as an answer to a change; one seen in the session comes in short form, without its text (R6). */
export const applicableRuleObject = z.object({
  id: id(),
  title: z.string(),
  severity: z.enum(RULE_SEVERITIES).optional(),
  revision: z.int().optional(),
  body_markdown: z.string().optional(),
  matched: matched.optional(),
  seen_in_session: z.boolean(),
});

export const nearMissObject = z.object({ id: id(), title: z.string(), matched, failed: z.string() });

export type ApplicableRuleObject = z.output<typeof applicableRuleObject>;
export type NearMissObject = z.output<typeof nearMissObject>;
