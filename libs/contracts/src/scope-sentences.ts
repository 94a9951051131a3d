import { SCOPES, type Scope } from './scopes.js';

/** What each scope lets a program do, in the words of the page on which a person approves it (I3). */
export const SCOPE_SENTENCES: Readonly<Record<Scope, string>> = {
  'projects:read': 'See projects',
  'projects:write': 'Create and change projects',
  'sessions:read': 'Read build sessions and their hand-over notes',
  'sessions:write': 'Start, update and end build sessions',
  'decisions:read': 'Read the decision log',
  'decisions:write': 'Add decisions to the log and correct them',
  'backlog:read': 'Read the backlog',
  'backlog:write': 'File, take and close backlog items',
  'rules:read': 'Read the rules that apply to a change',
  'rules:write': 'Create, change and archive rules',
  'loop:read': 'See where a work loop stands',
  'loop:write': 'Count the calls of a work loop',
  'loop:measure': 'Record what the test step measured',
  'loop:admin': 'Change the limits of a work loop',
  'usage:read': 'Read token usage',
  'usage:write': 'Report token usage',
  'audit:read': 'Read and verify the audit chain',
  'audit:erase': 'Erase personal data from the audit chain',
  'access:read': 'See members and credentials',
  'access:write': 'Issue and revoke credentials, invite and remove members',
  'platform:admin': 'Operate the whole installation',
};

/**
 * What a program must not get on a consent page, whoever approves it: a loop that measures itself or moves its own
 * limits is none (L2, L3), and the platform is not a workspace's to give.
 */
const NEVER_BY_CONSENT: ReadonlySet<Scope> = new Set(['loop:measure', 'loop:admin', 'platform:admin']);

/** What a person may hand to a program, as far as their own role reaches. */
export const GRANTABLE_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !NEVER_BY_CONSENT.has(scope));
