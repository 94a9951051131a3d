import type { TriggerProblemCode } from '../validation/trigger-problem.js';
import type { Severity, Triggers } from '../rule.js';

/** A file as `import_rules` takes it. Bytes are read as UTF-8, strictly. */
export interface RuleFile {
  /** Relative to the root of the repository: it decides the format. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

export interface ImportedRule {
  readonly path: string;
  /** 1-based line its text starts at. */
  readonly line: number;
  readonly title: string;
  readonly body_markdown: string;
  readonly triggers: Triggers;
  readonly always: boolean;
  /** Absent where the file does not say. */
  readonly severity?: Severity;
}

/** A file nothing was made of, and the first reason. */
export interface RejectedFile {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly code: TriggerProblemCode;
  readonly message: string;
}

/** Something of a file that was read, but not as its tool reads it. */
export interface ImportWarning {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

export interface ImportResult {
  /** In the order of the files, then of their sections. */
  readonly rules: readonly ImportedRule[];
  readonly rejected: readonly RejectedFile[];
  readonly warnings: readonly ImportWarning[];
}

/** What one line of a file is worth saying about. */
export interface LineNote {
  readonly line: number;
  readonly message: string;
}

/** Thrown while a file is read; the file is then rejected as a whole. */
export class RuleFileFault extends Error {
  constructor(
    readonly line: number,
    message: string,
    readonly code: TriggerProblemCode = 'invalid_input',
  ) {
    super(message);
    this.name = 'RuleFileFault';
  }
}
