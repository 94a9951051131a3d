import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { instantInput, line } from '../fields.js';
import { credentialObject } from '../objects/credential.js';
import { SCOPE_PRESET_NAMES, SCOPES } from '../scopes.js';

export const MCP_CLIENTS = ['claude_code', 'codex', 'cursor', 'gemini_cli', 'vscode'] as const;
export type McpClient = (typeof MCP_CLIENTS)[number];

export const issueCredential = defineOperation({
  name: 'issue_credential',
  area: 'access',
  toolSet: 'access',
  kind: 'mutation',
  title: 'Issue a credential',
  summary:
    'Issue a credential for an actor (created when the name is new) with named scopes or a preset. The secret is shown once; form `mcp_config` adds the ready configuration of an MCP client. Nobody can grant a scope that they do not hold.',
  input: z
    .strictObject({
      actor: line(),
      scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).optional(),
      preset: z.enum(SCOPE_PRESET_NAMES).optional(),
      form: z.enum(['token', 'mcp_config']).optional(),
      client: z.enum(MCP_CLIENTS).optional(),
      expires_at: instantInput().optional(),
    })
    .refine((input) => (input.scopes === undefined) !== (input.preset === undefined), {
      path: ['scopes'],
      message: 'give either scopes or preset',
    }),
  output: z.object({
    credential: credentialObject,
    secret: z.string().nullable(),
    mcp_config: z.string().nullable().optional(),
  }),
  scope: 'access:write',
  errors: ['forbidden', 'forbidden_scope', 'conflict', 'unprocessable', 'secret_detected'],
  audits: ['credential.issued'],
  idempotent: false,
  disclosedOnce: ['secret', 'mcp_config'],
  route: { method: 'POST', path: '/v1/credentials', creates: () => true },
});
