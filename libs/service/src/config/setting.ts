import type { z } from 'zod';

/** One variable of the environment and the typed value it becomes. */
export interface Setting<Value> {
  readonly variable: string;
  /** From the text of the variable, undefined when it is unset. Defaults live here. */
  readonly schema: z.ZodType<Value, string | undefined>;
  /** Completes "expected …". */
  readonly expected: string;
  readonly example: string;
  /** How a wrong value is shown: a secret only by its length, a url without its password and query. Default: as it is. */
  readonly shown?: 'length' | 'url';
}

export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** The typed object that a set of settings becomes. */
export type ConfigOf<S extends Settings> = { [Key in keyof S]: S[Key] extends Setting<infer Value> ? Value : never };
