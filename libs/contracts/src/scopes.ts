/** Everything a credential can be allowed. `loop:measure` and `loop:admin` are never part of the agent preset (L2, L3). */
export const SCOPES = [
  'projects:read',
  'projects:write',
  'sessions:read',
  'sessions:write',
  'decisions:read',
  'decisions:write',
  'backlog:read',
  'backlog:write',
  'rules:read',
  'rules:write',
  'loop:read',
  'loop:write',
  'loop:measure',
  'loop:admin',
  'usage:read',
  'usage:write',
  'audit:read',
  'audit:erase',
  'access:read',
  'access:write',
  'platform:admin',
] as const;

export type Scope = (typeof SCOPES)[number];

const WORKSPACE_SCOPES = SCOPES.filter((scope) => scope !== 'platform:admin');

/** Named sets of scopes for `issue_credential` (DESIGN §9). */
export const SCOPE_PRESETS = {
  agent: [
    'projects:read',
    'projects:write',
    'sessions:read',
    'sessions:write',
    'decisions:read',
    'decisions:write',
    'backlog:read',
    'backlog:write',
    'rules:read',
    'loop:read',
    'loop:write',
    'usage:write',
  ],
  measurer: ['loop:read', 'loop:measure'],
  reporter: ['usage:write'],
  auditor: ['audit:read'],
  admin: WORKSPACE_SCOPES,
} as const satisfies Record<string, readonly Scope[]>;

export type ScopePreset = keyof typeof SCOPE_PRESETS;

export const SCOPE_PRESET_NAMES = [
  'agent',
  'measurer',
  'reporter',
  'auditor',
  'admin',
] as const satisfies ScopePreset[];

export const MEMBER_ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

/** What a person is in a workspace. Owners differ from admins in one thing: only they manage owners. */
export type MemberRole = (typeof MEMBER_ROLES)[number];

const READING_SCOPES = WORKSPACE_SCOPES.filter((scope) => scope.endsWith(':read'));

/** The ledger itself; access, erasure and what only a test step measures are left out. */
const WRITING_SCOPES = [
  'projects:write',
  'sessions:write',
  'decisions:write',
  'backlog:write',
  'rules:write',
  'loop:write',
  'loop:admin',
  'usage:write',
] as const satisfies readonly Scope[];

/** What a member may do, by role (I4): the same scopes that credentials have. */
export const ROLE_SCOPES: Readonly<Record<MemberRole, readonly Scope[]>> = {
  owner: WORKSPACE_SCOPES,
  admin: WORKSPACE_SCOPES,
  member: [...READING_SCOPES, ...WRITING_SCOPES],
  viewer: READING_SCOPES,
};
