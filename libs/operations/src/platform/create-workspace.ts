import { catalogue, DomainError, SCOPE_PRESETS, type WorkspaceObject } from '@perdure/contracts';
import { type Transaction, unsafelyAsWorkspace } from '@perdure/store';
import { ensureActor, insertCredential } from '../access/insert-credential.js';
import { insertMember } from '../access/member-rows.js';
import { type HandlerContext, implement } from '../dispatcher/implement.js';
import { slugFrom } from '../slug.js';

/** The event stands on the installation's chain: the new workspace's own begins with what its people do. */
export const createWorkspaceHandler = implement(catalogue.platform.createWorkspace, async (context) => {
  const { tx, input, now, newId, audit } = context;
  const id = newId();
  const workspace: WorkspaceObject = {
    id,
    slug: input.slug ?? slugFrom(input.name, `workspace-${id.slice(-8).toLowerCase()}`),
    name: input.name,
    status: 'active',
    created_at: now,
    delete_after: null,
    quota: { requests_per_minute: null, stored_bytes: null, build_sessions: null, usage_reports_per_day: null },
  };
  const secret = await unsafelyAsWorkspace(tx, id, (inside) => settle(inside, workspace, context));
  audit({ type: 'workspace.created', subjectId: id, payload: { slug: workspace.slug, name: workspace.name } });
  return { workspace, owner_secret: secret };
});

async function settle(
  tx: Transaction,
  { slug, name }: WorkspaceObject,
  { now, newId }: Pick<HandlerContext<unknown>, 'now' | 'newId'>,
): Promise<string> {
  const created = await tx.run(
    `INSERT INTO workspace (workspace_id, slug, name, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (slug) DO NOTHING`,
    [tx.workspaceId, slug, name, now],
  );
  if (created === 0) throw new DomainError('slug_taken', `A workspace with the slug ${slug} exists.`, { slug });
  const owner = await ensureActor(tx, { id: newId(), name: 'owner', kind: 'person', now });
  const memberId = newId();
  await insertMember(tx, { id: memberId, actorId: owner.id, email: null, role: 'owner', status: 'active', now });
  const { token } = await insertCredential(tx, {
    id: newId(),
    actor: owner,
    scopes: SCOPE_PRESETS.admin,
    expiresAt: null,
    now,
    memberId,
  });
  return token;
}
