import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface CallStep {
  readonly op: string;
  readonly as: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly save?: string;
}

export interface ConcurrentStep {
  readonly concurrently: number;
  readonly steps: readonly Step[];
  readonly across?: string;
  /** What the workspace must be, in words. */
  readonly note?: string;
}

export interface RepeatStep {
  readonly repeat: number;
  readonly steps: readonly Step[];
}

/** Something outside the catalogue, in words. */
export interface DeedStep {
  readonly do: string;
}

export type Step = CallStep | ConcurrentStep | RepeatStep | DeedStep;

/** A report from the field as steps and what must come of them: cases/field/README.md says what each key means. */
export interface FieldCase {
  readonly id: string;
  readonly issue: string;
  readonly steps: readonly Step[];
  readonly expect: Readonly<Record<string, unknown>> & { readonly invariant?: string };
}

const FILE = path.join(__dirname, '..', '..', '..', 'cases', 'field', 'cases.json');

export const fieldCases = (): FieldCase[] => JSON.parse(readFileSync(FILE, 'utf8')) as FieldCase[]; // a file of ours

/** Every credential the steps call as: `c[i]` in 64 copies is `c[0]` to `c[63]`. */
export function credentialsOf(steps: readonly Step[], copies = 1): Set<string> {
  const names = new Set<string>();
  for (const step of steps) {
    if ('op' in step) for (let copy = 0; copy < copies; copy += 1) names.add(numbered(step.as, copy));
    if ('concurrently' in step) for (const name of credentialsOf(step.steps, step.concurrently)) names.add(name);
    if ('repeat' in step) for (const name of credentialsOf(step.steps, copies)) names.add(name);
  }
  return names;
}

/** `c[i]` of a copy. */
export const numbered = (name: string, copy: number): string => name.replace('[i]', `[${copy}]`);
