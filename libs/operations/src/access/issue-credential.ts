import {
  type ActorObject,
  type Caller,
  catalogue,
  DomainError,
  type InputOf,
  type Scope,
  SCOPE_PRESETS,
} from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireHeld, requirePerson } from './authority.js';
import { ensureActor, insertCredential } from './insert-credential.js';
import { mcpConfigFor } from './mcp-config.js';
import { findMemberByActor } from './member-rows.js';

type Input = InputOf<typeof catalogue.access.issueCredential>;

export const issueCredentialHandler = implement(
  catalogue.access.issueCredential,
  async ({ tx, caller, input, now, newId, mcpUrl, audit }) => {
    const scopes = chooseScopes(input);
    requireHeld(caller, scopes);
    const expiresAt = readExpiry(input.expires_at, now);
    const config = mcpConfigFor(input.form === 'mcp_config' ? (input.client ?? 'claude_code') : null, mcpUrl);
    const actor = await ensureActor(tx, { id: newId(), name: input.actor, kind: 'agent', now });
    const memberId = await memberBehind(tx, caller, actor);
    const { credential, token } = await insertCredential(tx, { id: newId(), actor, scopes, expiresAt, now, memberId });
    audit({
      type: 'credential.issued',
      subjectId: credential.id,
      payload: { actor_id: actor.id, actor_name: actor.name, scopes, expires_at: expiresAt },
    });
    return { credential, secret: token, ...(config === null ? {} : { mcp_config: config(token) }) };
  },
);

function chooseScopes(input: Input): readonly Scope[] {
  if (input.preset !== undefined) return SCOPE_PRESETS[input.preset];
  return [...new Set(input.scopes)];
}

/**
 * The member whose actor that is; null for agents and jobs.
 *
 * @throws DomainError `forbidden` when it is somebody else, and the caller no owner
 */
async function memberBehind(tx: Transaction, caller: Caller, actor: ActorObject): Promise<string | null> {
  if (actor.kind !== 'person') return null;
  const member = await findMemberByActor(tx, actor.id);
  if (member === undefined) throw new DomainError('conflict', `${actor.name} was a member and was removed.`);
  requirePerson(caller, member.id);
  return member.id;
}

function readExpiry(expiresAt: string | undefined, now: string): string | null {
  if (expiresAt === undefined) return null;
  const instant = new Date(expiresAt).toISOString();
  if (instant > now) return instant;
  const fields = [{ path: 'expires_at', message: 'lies in the past' }];
  throw new DomainError('invalid_input', 'Invalid input. expires_at: lies in the past', { fields });
}
