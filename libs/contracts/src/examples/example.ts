import type { OperationContract, RawInputOf } from '../define-operation.js';

/** One call that works: docs show it and a test makes it, so that they cannot differ. */
export interface OperationExample {
  readonly operation: string;
  /** As a client sends it. Ids are samples; an earlier example yields them. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Sample id → where the answer holds the real one, such as `build_session.id`. */
  readonly yields: Readonly<Record<string, string>>;
}

/** An example whose arguments the compiler checks against the contract. */
export const exampleOf = <Contract extends OperationContract>(
  contract: Contract,
  input: RawInputOf<Contract>,
  yields: Readonly<Record<string, string>> = {},
): OperationExample => ({ operation: contract.name, input: { ...input }, yields });

/** Ids as the examples of several areas name them. */
export const SAMPLE = {
  session: '01KB3M5T8R4N6P2V9X0C7D1E5A',
  earlierSession: '01KB1W2G7Q8H3K5M9N4P6R2T0V',
  decision: '01KB3MC4XY7Z1A3B5C9D2E6F8G',
  item: '01KB3MF0H2J4K6M8N1P3Q5R7S9',
  blocker: '01KB3MG9T1V3W5X7Y2Z4A6B8C0',
  credential: '01KB3MK3F5G7H9J1K2M4N6P8Q0',
  member: '01KB3MM1R3S5T7V9W0X2Y4Z6A8',
  rule: '01KB3MJ6D8E0F2G4H7K9M1N3P5',
  batch: '01KB3MP4A6B8C0D2E5F7G9H1J3',
} as const;
