import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A text that one agent writes and others read: cases/xss/README.md says what each key means. */
export interface AttackCase {
  readonly id: string;
  readonly issue: string;
  readonly field: string;
  readonly value: string;
  readonly surfaces: readonly string[];
  readonly invariants: readonly string[];
}

const FILE = path.join(__dirname, '..', '..', '..', 'cases', 'xss', 'cases.json');

export const attackCases = (): AttackCase[] => JSON.parse(readFileSync(FILE, 'utf8')) as AttackCase[]; // a file of ours
