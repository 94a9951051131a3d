import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { count, line, projectReference } from '../fields.js';
import { briefSections } from '../objects/brief.js';

export const resumeBrief = defineOperation({
  name: 'resume_brief',
  area: 'sessions',
  toolSet: 'core',
  kind: 'query',
  title: 'Resume brief',
  summary:
    'The one call a new session makes: active sessions with their leads (yours first, when computer and branch are given; where none is active the last one, with its history entry), what was decided, ruled out and preferred, backlog counts and loop state, within a token budget (default 1,000; four bytes of UTF-8 count as a token). What was cut is named with the call that fetches it. With `since` (the cursor of an earlier brief) only what changed.',
  input: z.strictObject({
    project: projectReference(),
    computer: line().optional(),
    branch: line().optional(),
    token_budget: z.int().min(100).max(32_000).optional(),
    since: z.string().max(2_000).optional(),
  }),
  output: z.object({
    brief_markdown: z.string(),
    sections: briefSections,
    omitted: z.array(
      z.object({
        section: z.string(),
        count: count(),
        operation: z.string(),
        arguments: z.record(z.string(), z.unknown()),
      }),
    ),
    cursor: z.string(),
  }),
  scope: 'sessions:read',
  errors: ['not_found', 'invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/projects/{project}/brief' },
});
