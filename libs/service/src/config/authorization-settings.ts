import { MEMBER_ROLES, type MemberRole } from '@perdure/contracts';
import { z } from 'zod';
import { listOf, optional } from './schemas.js';
import type { Setting } from './setting.js';

/**
 * Hosts whose client metadata documents may be fetched. Unset: every host with a public address. Set: these alone, and
 * they may have a private one. `none`, an empty list: no document is fetched, and programs register instead.
 */
export function clientMetadataHosts(): Setting<string[] | null> {
  const host = z.string().regex(/^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?$/);
  return {
    variable: 'PERDURE_CLIENT_METADATA_HOSTS',
    schema: optional(z.union([z.literal('none').transform(() => []), listOf(host.transform(lowerCase))]), null),
    expected: 'host names, with a port where it is not 443, separated by commas; or none',
    example: 'claude.ai,vscode.dev',
  };
}

const lowerCase = (text: string): string => text.toLowerCase();

/** Plain http is for a provider on this machine. */
const providerUrl = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
});

const given = z.string().min(1).max(2_000);

/** An OpenID provider at which people may sign in. Unset: there is none. */
export function oidcIssuer(): Setting<string | null> {
  return {
    variable: 'PERDURE_OIDC_ISSUER',
    schema: optional(providerUrl, null),
    expected: 'the https url of an OpenID provider, as it names itself',
    example: 'https://login.example.com',
    shown: 'url',
  };
}

export function oidcClientId(): Setting<string | null> {
  return {
    variable: 'PERDURE_OIDC_CLIENT_ID',
    schema: optional(given, null),
    expected: 'the client id under which the OpenID provider knows this installation',
    example: 'perdure',
  };
}

/** Unset: a public client. */
export function oidcClientSecret(): Setting<string | null> {
  return {
    variable: 'PERDURE_OIDC_CLIENT_SECRET',
    schema: optional(given, null),
    expected: 'the secret that belongs to PERDURE_OIDC_CLIENT_ID',
    example: '(from the OpenID provider)',
    shown: 'length',
  };
}

export function oidcScope(): Setting<string> {
  return {
    variable: 'PERDURE_OIDC_SCOPE',
    schema: optional(z.string().regex(/^openid( [\x21\x23-\x5b\x5d-\x7e]+)*$/), 'openid email profile'),
    expected: 'scopes for the OpenID provider, `openid` first',
    example: 'openid email profile groups',
  };
}

/** On the button of the sign-in page. */
export function oidcName(): Setting<string | null> {
  return {
    variable: 'PERDURE_OIDC_NAME',
    schema: optional(z.string().trim().min(1).max(60), null),
    expected: 'a name of at most 60 characters for the OpenID provider',
    example: 'Example SSO',
  };
}

export function oidcGroupsClaim(): Setting<string> {
  return {
    variable: 'PERDURE_OIDC_GROUPS_CLAIM',
    schema: optional(z.string().min(1).max(200), 'groups'),
    expected: 'the claim that lists the groups of a person',
    example: 'groups',
  };
}

/** A role in a workspace that one group of the OpenID provider stands for. */
export interface GroupRule {
  readonly group: string;
  readonly workspaceSlug: string;
  readonly role: MemberRole;
}

const RULE = new RegExp(`^(.+)=([a-z0-9][a-z0-9-]*):(${MEMBER_ROLES.join('|')})$`);

const groupRule = z.string().transform((text, context): GroupRule => {
  const [, group = '', workspaceSlug = '', role] = RULE.exec(text) ?? [];
  const known = MEMBER_ROLES.find((one) => one === role);
  if (known === undefined) context.addIssue({ code: 'custom', message: 'not group=workspace:role' });
  return { group, workspaceSlug, role: known ?? 'viewer' };
});

export function oidcGroups(): Setting<GroupRule[]> {
  return {
    variable: 'PERDURE_OIDC_GROUPS',
    schema: optional(listOf(groupRule), []),
    expected: `group=workspace:role rules separated by commas, roles being ${MEMBER_ROLES.join(', ')}`,
    example: 'platform=acme:admin,engineering=acme:member',
  };
}
