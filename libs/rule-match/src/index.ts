export { checkCodePattern, type CodePatternError } from './code/compile-code-pattern.js';
export { compileGlob, type CompiledGlob, type GlobError } from './globs/compile-glob.js';
export { compileRules } from './matching/rule-index.js';
export { loopOverRules } from './matching/rule-loop.js';
export { SearchTooLong } from './rule.js';
export type {
  Change,
  Dimension,
  Matched,
  MatchableRule,
  MatchAnswer,
  MatchOptions,
  NearMiss,
  Rule,
  RuleMatch,
  RuleMatcher,
  Severity,
  SteppingMatcher,
  Triggers,
} from './rule.js';
export { readRuleFiles } from './rule-files/read-rule-files.js';
export type { ImportedRule, ImportResult, ImportWarning, RejectedFile, RuleFile } from './rule-files/rule-file.js';
export {
  writeRuleFiles,
  type ExportedFile,
  type ExportFormat,
  type ExportResult,
  type ExportWarning,
} from './rule-files/write-rule-files.js';
export { describeProblem, type TriggerProblem, type TriggerProblemCode } from './validation/trigger-problem.js';
export { validateChange } from './validation/validate-change.js';
export { validateTriggers } from './validation/validate-triggers.js';
