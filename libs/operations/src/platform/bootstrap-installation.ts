import { createDataSource, recordAuditEvent, type Transaction, withWorkspace } from '@perdure/store';
import { ulid } from 'ulid';
import { ensureActor, insertCredential } from '../access/insert-credential.js';

/** The slug of the workspace that stands for the installation itself. */
const INSTALLATION_SLUG = 'installation';

/**
 * Makes the installation's own workspace when there is none, and a platform credential. Each call issues a new one:
 * whoever can connect as the owner of the database can always get back in.
 *
 * @param ownerUrl a connection as `perdure_owner`
 */
export async function bootstrapInstallation(ownerUrl: string): Promise<{ platformToken: string }> {
  const dataSource = await createDataSource({ url: ownerUrl, poolSize: 1, applicationName: 'perdure-bootstrap' });
  try {
    const now = new Date().toISOString();
    const workspaceId = await withWorkspace(dataSource, ulid(), (tx) => ensureInstallation(tx, now));
    const platformToken = await withWorkspace(dataSource, workspaceId, (tx) => issuePlatformToken(tx, now));
    return { platformToken };
  } finally {
    await dataSource.destroy();
  }
}

/** The candidate's id is the transaction's; the unique index on the kind lets one installation be. */
async function ensureInstallation(tx: Transaction, now: string): Promise<string> {
  await tx.run(
    `INSERT INTO workspace (workspace_id, kind, slug, name, created_at) VALUES ($1, 'installation', $2, 'Installation', $3)
     ON CONFLICT DO NOTHING`,
    [tx.workspaceId, INSTALLATION_SLUG, now],
  );
  const row = await tx.first<{ workspace_id: string }>(
    `SELECT workspace_id FROM workspace WHERE kind = 'installation'`,
  );
  if (row === undefined)
    throw new Error(`the slug ${INSTALLATION_SLUG} is taken by a workspace that is not the installation`);
  return row.workspace_id;
}

async function issuePlatformToken(tx: Transaction, now: string): Promise<string> {
  const actor = await ensureActor(tx, { id: ulid(), name: 'platform', kind: 'operator', now });
  const { credential, token } = await insertCredential(tx, {
    id: ulid(),
    actor,
    scopes: ['platform:admin'],
    expiresAt: null,
    now,
  });
  recordAuditEvent(tx, {
    eventId: ulid(),
    type: 'credential.issued',
    at: now,
    actorId: actor.id,
    subjectId: credential.id,
    payload: { actor_id: actor.id, actor_name: actor.name, scopes: credential.scopes, expires_at: null },
  });
  return token;
}
