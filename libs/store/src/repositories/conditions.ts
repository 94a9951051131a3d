import type { SqlValue } from '../transaction.js';

/** Collects `AND` conditions with their parameters; an undefined value leaves its condition out. */
export class Conditions {
  readonly parameters: SqlValue[];
  private readonly conditions: string[] = [];

  constructor(...parameters: SqlValue[]) {
    this.parameters = parameters;
  }

  /** Adds `condition`, which is given the places (`$n`) of its values, unless a value is undefined. */
  and(condition: (...places: string[]) => string, ...values: (SqlValue | undefined)[]): this {
    const present = values.filter((value) => value !== undefined);
    if (present.length < values.length) return this;
    this.conditions.push(` AND ${condition(...present.map((value) => this.place(value)))}`);
    return this;
  }

  /** The place of a further parameter. */
  place(value: SqlValue): string {
    this.parameters.push(value);
    return `$${this.parameters.length}`;
  }

  get sql(): string {
    return this.conditions.join('');
  }
}
