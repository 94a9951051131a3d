/** What a reader met and went on from. The names stand in the warnings of a report, each with how often. */
export const FAULTS = [
  'bad_lines',
  'tail_incomplete',
  'long_lines_left_out',
  'bad_numbers',
  'bad_times',
  'cache_split_exceeds_total',
  'cached_exceeds_input',
  'responses_not_listed',
  'unreadable_files',
] as const;

export type Fault = (typeof FAULTS)[number];

export type Faults = Partial<Record<Fault, number>>;

export function countFault(faults: Faults, fault: Fault, times = 1): void {
  faults[fault] = (faults[fault] ?? 0) + times;
}

/** `bad_lines 2`, in the order of the list above. */
export const warningsOf = (faults: Faults): string[] =>
  FAULTS.flatMap((fault) => (faults[fault] === undefined ? [] : [`${fault} ${faults[fault]}`]));
