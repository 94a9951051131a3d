/** The order of the work, as the README of the cases gives it. */
const ISSUES = [
  'skeleton',
  'sessions-decisions',
  'whole-ledger',
  'identity',
  'usage',
  'clients',
  'audit',
  'dashboard',
  'operations',
] as const;

type Issue = (typeof ISSUES)[number];

/** The last issue whose cases must hold. Raising it is all it takes to have the next cases demanded. */
const LEVEL: Issue = 'usage';

/** Whether a case of that issue must hold by now. */
export const isDue = (issue: string): boolean =>
  (ISSUES as readonly string[]).slice(0, ISSUES.indexOf(LEVEL) + 1).includes(issue);
