import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { LIMITS, freeText, projectReference, repositoryPath } from '../fields.js';

/** A rule of a file; without an id in a dry run of a new one. */
const importedRule = z.object({ path: z.string(), title: z.string(), rule_id: z.string().nullable() });

export const importRules = defineOperation({
  name: 'import_rules',
  area: 'rules',
  toolSet: 'rules',
  kind: 'mutation',
  title: 'Import rules',
  summary:
    'Import rule files: .cursor/rules/*.mdc, .claude/rules/*.md, AGENTS.md and CLAUDE.md sections, .github/instructions/*.instructions.md. The same file again revises its rules or leaves them unchanged. A file that cannot be read is rejected with its line. `dry_run` only says what would happen.',
  input: z.strictObject({
    files: z
      .array(z.strictObject({ path: repositoryPath(), content: freeText(200_000) }))
      .min(1)
      .max(LIMITS.array),
    project: projectReference().optional(),
    dry_run: z.boolean().optional(),
  }),
  output: z.object({
    created: z.array(importedRule),
    revised: z.array(importedRule),
    unchanged: z.array(importedRule),
    rejected: z.array(z.object({ path: z.string(), line: z.int(), code: z.string(), message: z.string() })),
    warnings: z.array(z.object({ path: z.string(), line: z.int(), message: z.string() })),
  }),
  scope: 'rules:write',
  errors: ['not_found', 'secret_detected'],
  audits: ['rule.imported'],
  idempotent: true,
  route: { method: 'POST', path: '/v1/rules/import' },
});
