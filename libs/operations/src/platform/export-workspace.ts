import { catalogue, DomainError, INLINE_EXPORT_BYTES } from '@perdure/contracts';
import { type Transaction, unsafelyAsWorkspace } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { readAgeRecipient } from './age-recipient.js';
import { workspaceFile } from './workspace-file.js';
import { requireWorkspace } from './find-workspace.js';

/** The event is committed before the first byte leaves. What the operator gets only the tenant's key opens. */
export const exportWorkspaceHandler = implement(catalogue.platform.exportWorkspace, async (context) => {
  const { tx, input, now, audit, download } = context;
  const recipient = await readAgeRecipient(input.encrypt_to);
  const workspace = await requireWorkspace(tx, input.workspace);
  if (!download.isStreamed) await requireSmall(tx, workspace.id);
  const fileName = `${workspace.slug}-${now.slice(0, 10)}.ndjson.gz.age`;
  download.offer((dataSource) => ({
    fileName,
    bytes: workspaceFile({ dataSource, workspace, recipient, exportedAt: now }),
  }));
  audit({
    type: 'workspace.exported',
    subjectId: workspace.id,
    payload: { slug: workspace.slug, encrypt_to: input.encrypt_to.slice(0, 80) },
  });
  return { file_name: fileName, content_base64: null };
});

/** @throws DomainError `too_large` */
async function requireSmall(tx: Transaction, workspaceId: string): Promise<void> {
  const bytes = await unsafelyAsWorkspace(tx, workspaceId, async (inside) => {
    const row = await inside.first<{ bytes: number }>('SELECT perdure_stored_bytes()::float8 AS bytes');
    return row?.bytes ?? 0;
  });
  if (bytes <= INLINE_EXPORT_BYTES) return;
  throw new DomainError(
    'too_large',
    `The workspace holds ${bytes} bytes; an answer takes ${INLINE_EXPORT_BYTES}.`,
    { size: bytes, cap: INLINE_EXPORT_BYTES },
    'Use REST, which streams the file: POST /v1/workspaces/{workspace}/export.',
  );
}
