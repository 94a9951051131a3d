import { type Caller, catalogue, DomainError, type InputOf, type Scope, SCOPE_PRESETS } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { ensureActor, insertCredential } from './insert-credential.js';
import { mcpConfigFor } from './mcp-config.js';

type Input = InputOf<typeof catalogue.access.issueCredential>;

export const issueCredentialHandler = implement(
  catalogue.access.issueCredential,
  async ({ tx, caller, input, now, newId, mcpUrl, audit }) => {
    const scopes = chooseScopes(input);
    assertHeld(caller, scopes);
    const expiresAt = readExpiry(input.expires_at, now);
    const config = mcpConfigFor(input.form === 'mcp_config' ? (input.client ?? 'claude_code') : null, mcpUrl);
    const actor = await ensureActor(tx, { id: newId(), name: input.actor, kind: 'agent', now });
    const { credential, token } = await insertCredential(tx, { id: newId(), actor, scopes, expiresAt, now });
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

/** @throws DomainError `forbidden_scope`: nobody hands on what they do not hold */
function assertHeld(caller: Caller, scopes: readonly Scope[]): void {
  const missing = scopes.find((scope) => !caller.scopes.has(scope));
  if (missing === undefined) return;
  throw new DomainError('forbidden_scope', `You cannot grant ${missing}, which your own credential does not have.`, {
    scope: missing,
  });
}

function readExpiry(expiresAt: string | undefined, now: string): string | null {
  if (expiresAt === undefined) return null;
  const instant = new Date(expiresAt).toISOString();
  if (instant > now) return instant;
  const fields = [{ path: 'expires_at', message: 'lies in the past' }];
  throw new DomainError('invalid_input', 'Invalid input. expires_at: lies in the past', { fields });
}
