import { z } from 'zod';

/** An absolute url of one of these protocols, as it stands. */
export function urlWith(protocols: readonly string[]): z.ZodType<string, string | undefined> {
  const url = z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol));
  return required(url);
}

/** Digits only: `Number` would take "1e3", " 7" and "0x10". */
export function wholeNumber(least: number, most: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most));
}

function required<Value>(schema: z.ZodType<Value, string>): z.ZodType<Value, string | undefined> {
  return z.string().optional().pipe(z.string().pipe(schema));
}

/** A value with a default for when the variable is unset. */
export function optional<Value>(
  schema: z.ZodType<Value, string | undefined>,
  byDefault: Value,
): z.ZodType<Value, string | undefined> {
  return z
    .string()
    .optional()
    .transform((text, context): Value => {
      if (text === undefined) return byDefault;
      const parsed = schema.safeParse(text);
      if (parsed.success) return parsed.data;
      context.addIssue({ code: 'custom', message: parsed.error.message });
      return byDefault;
    });
}

/** Values separated by commas. */
export function listOf<Value>(item: z.ZodType<Value, string>): z.ZodType<Value[], string> {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item));
}
