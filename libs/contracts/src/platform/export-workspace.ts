import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { workspaceReference } from '../fields.js';

/** What fits an answer where nothing can be streamed. */
export const INLINE_EXPORT_BYTES = 4 * 1024 * 1024;

export const exportWorkspace = defineOperation({
  name: 'export_workspace',
  area: 'platform',
  toolSet: 'platform',
  kind: 'mutation',
  title: 'Export a workspace',
  summary:
    'Write a workspace whole, as gzipped NDJSON that is encrypted to the age public key of its tenant (`age1…`), so that its operator sees nothing of it. REST streams the file; elsewhere it comes in base64 when it is small enough. Secrets of credentials and links are not in it.',
  input: z.strictObject({
    workspace: workspaceReference(),
    encrypt_to: z
      .string()
      .max(4_000)
      .regex(/^age1[a-z0-9]+$/, 'must be an age public key (age1…); PGP keys are not taken'),
  }),
  output: z.object({ file_name: z.string(), content_base64: z.string().nullable() }),
  scope: 'platform:admin',
  errors: ['not_found', 'too_large'],
  audits: ['workspace.exported'],
  idempotent: false,
  disclosedOnce: ['content_base64'],
  route: {
    method: 'POST',
    path: '/v1/workspaces/{workspace}/export',
    download: { mediaType: 'application/octet-stream', inline: 'content_base64' },
  },
});
