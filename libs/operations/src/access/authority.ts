import { type Caller, DomainError, type MemberRole, ROLE_SCOPES, type Scope } from '@perdure/contracts';

export const isOwner = (caller: Caller): boolean => caller.member?.role === 'owner';

/** @throws DomainError `forbidden_scope`: nobody hands on what they do not hold (I5) */
export function requireHeld(caller: Caller, scopes: readonly Scope[]): void {
  const missing = scopes.find((scope) => !caller.scopes.has(scope));
  if (missing === undefined) return;
  throw new DomainError('forbidden_scope', `You cannot grant ${missing}, which your own credential does not have.`, {
    scope: missing,
  });
}

/**
 * Roles that a caller may give and take: those whose scopes they hold, and an owner's only as an owner.
 *
 * @throws DomainError `forbidden` or `forbidden_scope`
 */
export function requireAuthorityOver(caller: Caller, roles: readonly MemberRole[]): void {
  for (const role of roles) {
    if (role === 'owner' && !isOwner(caller)) throw new DomainError('forbidden', 'Only an owner manages owners.');
    requireHeld(caller, ROLE_SCOPES[role]);
  }
}

/**
 * Whoever gets the secret of a person's credential is taken for that person, so only they and owners do.
 *
 * @throws DomainError `forbidden`
 */
export function requirePerson(caller: Caller, memberId: string | null): void {
  if (memberId === null || isOwner(caller) || caller.member?.id === memberId) return;
  throw new DomainError('forbidden', 'This credential stands for a member: only they and owners can do that.');
}
