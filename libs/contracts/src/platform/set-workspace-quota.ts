import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { count, workspaceReference } from '../fields.js';
import { workspaceObject } from '../objects/workspace.js';

/** Of a 32-bit integer in the database. */
const MOST = 2_147_483_647;

const limit = () => z.int().min(0).max(MOST).nullable().optional();

export const setWorkspaceQuota = defineOperation({
  name: 'set_workspace_quota',
  area: 'platform',
  toolSet: 'platform',
  kind: 'mutation',
  title: 'Set the quota of a workspace',
  summary:
    'Limit what a workspace may take. What is left out stays as it is; null lifts a limit. Beyond build_sessions, stored_bytes or usage_reports_per_day writes are refused with `quota_exceeded`, beyond requests_per_minute all calls with `rate_limited`.',
  input: z.strictObject({
    workspace: workspaceReference(),
    requests_per_minute: limit(),
    stored_bytes: count().nullable().optional(),
    build_sessions: limit(),
    usage_reports_per_day: limit(),
  }),
  output: z.object({ workspace: workspaceObject }),
  scope: 'platform:admin',
  errors: ['not_found'],
  audits: ['workspace.quota_set'],
  idempotent: true,
  route: { method: 'PUT', path: '/v1/workspaces/{workspace}/quota' },
});
