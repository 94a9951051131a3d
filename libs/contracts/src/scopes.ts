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
