import {
  createDataSource,
  findWorkspaceAsOwner,
  recordAuditEvent,
  type Transaction,
  withWorkspace,
} from '@perdure/store';
import { ulid } from 'ulid';
import { ensureActor } from '../access/insert-credential.js';
import { mintSignInLink, signInUrl } from '../access/sign-in-link.js';

interface OperatorSignIn {
  /** A connection as `perdure_owner`: whoever has it can always let somebody in. */
  readonly ownerUrl: string;
  /** Id or slug. */
  readonly workspace: string;
  /** Default: the owner who has been there longest. */
  readonly email?: string | undefined;
  /** Where the api is reached, without a trailing slash. */
  readonly apiUrl: string;
}

/**
 * A one-time sign-in link for a member, made with access to the database alone: for the first start, and for whoever has
 * lost every other way in. It is audited in the workspace, as done by `operator`.
 *
 * @returns the url; @throws Error when there is no such workspace or member
 */
export async function operatorSignInUrl({ ownerUrl, workspace, email, apiUrl }: OperatorSignIn): Promise<string> {
  const dataSource = await createDataSource({ url: ownerUrl, poolSize: 1, applicationName: 'perdure-sign-in-link' });
  try {
    const workspaceId = await findWorkspaceAsOwner(dataSource, workspace);
    if (workspaceId === undefined) throw new Error(`there is no workspace ${workspace}`);
    const token = await withWorkspace(dataSource, workspaceId, (tx) => mintFor(tx, email ?? null));
    return signInUrl(apiUrl, token);
  } finally {
    await dataSource.destroy();
  }
}

async function mintFor(tx: Transaction, email: string | null): Promise<string> {
  const member = await tx.first<{ id: string; status: 'invited' | 'active' }>(
    `SELECT id, status FROM member WHERE workspace_id = $1 AND status <> 'removed'
       AND CASE WHEN $2::text IS NULL THEN role = 'owner' ELSE lower(email) = lower($2) END
     ORDER BY status, invited_at, id LIMIT 1`,
    [tx.workspaceId, email],
  );
  if (member === undefined) throw new Error(email === null ? 'the workspace has no owner' : `${email} is no member`);
  const now = new Date().toISOString();
  const purpose = member.status === 'invited' ? 'invitation' : 'sign_in';
  const token = await mintSignInLink(tx, { memberId: member.id, purpose, now });
  const actor = await ensureActor(tx, { id: ulid(), name: 'operator', kind: 'operator', now });
  recordAuditEvent(tx, {
    eventId: ulid(),
    type: 'member.sign_in_link_made',
    at: now,
    actorId: actor.id,
    subjectId: member.id,
    payload: { purpose },
  });
  return token;
}
