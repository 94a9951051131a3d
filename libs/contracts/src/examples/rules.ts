import { catalogue } from '../catalogue.js';
import { exampleOf, SAMPLE } from './example.js';

const { queryApplicableRules, createRule, reviseRule, archiveRule, getRule, listRules, importRules, exportRules } =
  catalogue.rules;

const rule_id = SAMPLE.rule;

export const ruleExamples = [
  exampleOf(
    createRule,
    {
      title: 'Every call to the provider carries a key',
      body_markdown: 'Send an `Idempotency-Key`; without one a retry can charge twice.',
      triggers: { paths: ['src/**/client*.ts'], code_patterns: ['provider\\.(charge|refund)\\('] },
      severity: 'must',
      project: 'payments',
    },
    { [SAMPLE.rule]: 'rule.id' },
  ),
  exampleOf(reviseRule, { rule_id, triggers: { paths: ['src/**/*.ts'] } }),
  exampleOf(importRules, {
    files: [
      {
        path: '.cursor/rules/migrations.mdc',
        content: '---\ndescription: Migrations\nglobs: db/migrations/**\n---\nA released migration is never edited.\n',
      },
    ],
    project: 'payments',
  }),
  exampleOf(queryApplicableRules, {
    project: 'payments',
    file_paths: ['src/client.ts'],
    operations: ['commit'],
    explain: true,
  }),
  exampleOf(getRule, { rule_id }),
  exampleOf(listRules, { project: 'payments', status: 'active' }),
  exampleOf(exportRules, { format: 'cursor', project: 'payments' }),
  exampleOf(archiveRule, { rule_id, reason: 'The client library sends the key by itself now.' }),
];
