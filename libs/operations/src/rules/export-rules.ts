import { catalogue } from '@perdure/contracts';
import { writeRuleFiles } from '@perdure/rule-match';
import { implement } from '../dispatcher/implement.js';
import { requireProject } from '../projects/find-project.js';
import { activeRules } from './rule-rows.js';

export const exportRulesHandler = implement(catalogue.rules.exportRules, async ({ tx, input }) => {
  const project = input.project === undefined ? undefined : await requireProject(tx, input.project);
  const { files, warnings } = writeRuleFiles(await activeRules(tx, project?.id), input.format);
  return {
    files: files.map((file) => ({ ...file })),
    warnings: warnings.map(({ ruleId, message }) => ({ rule_id: ruleId, message })),
  };
});
