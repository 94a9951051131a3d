import { administrationExamples } from './administration.js';
import { backlogExamples } from './backlog.js';
import { decisionExamples } from './decisions.js';
import type { OperationExample } from './example.js';
import { loopExamples } from './loop.js';
import { projectExamples } from './projects.js';
import { ruleExamples } from './rules.js';
import { sessionExamples } from './sessions.js';
import { usageExamples } from './usage.js';

/** A call of every operation, in an order in which all of them succeed on a new workspace. Docs show the first of each. */
export const operationExamples: readonly OperationExample[] = [
  ...projectExamples,
  ...sessionExamples,
  ...decisionExamples,
  ...backlogExamples,
  ...ruleExamples,
  ...loopExamples,
  ...usageExamples,
  ...administrationExamples,
];
