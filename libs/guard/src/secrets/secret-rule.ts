/** Where a secret stands in a text, in UTF-16 code units; the value itself is never handed on. */
export interface DetectedSecret {
  /** Stable name of what was found, snake_case, never empty. */
  readonly kind: string;
  readonly offset: number;
  readonly length: number;
}

export interface SecretRule {
  /** The rule is tried where one of these occurs, in any case. Without an occurrence the rule costs nothing. */
  readonly keywords: readonly string[];
  /**
   * A rule that goes by the words around a value, not by its form. It is asked after all others, so that a GitHub token
   * after `password=` is named for what it is.
   */
  readonly contextual: boolean;
  /** Must look at a bounded stretch of text or at stretches that cannot overlap: this keeps the whole scan linear. */
  readonly find: (text: string, keywordAt: number) => DetectedSecret | null;
}
