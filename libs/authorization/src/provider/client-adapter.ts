import { createHash } from 'node:crypto';
import { ULID_PATTERN, type Scope } from '@perdure/contracts';
import type { OauthStore } from '@perdure/store';
import type { Adapter, AdapterPayload } from 'oidc-provider' with { 'resolution-mode': 'import' };

/** A registration is written by anybody: its size is bounded before it is stored. */
const MAX_METADATA_CHARACTERS = 8_000;

/** Stands for the secret of a client that is an issued credential: what it presents goes to `authenticate`. */
const CREDENTIAL_SECRET = 'credential';

export interface ClientOptions {
  readonly store: OauthStore;
  /** The scopes of an issued credential that may be used, null when there is none of that id. */
  readonly scopesOfCredential: (id: string) => Promise<readonly Scope[] | null>;
  readonly tooLarge: () => Error;
}

/**
 * Clients that registered themselves (RFC 7591), with the digest of a secret in its place; and every issued credential
 * as a client of its own for `client_credentials`, its id being the name and its token the secret.
 */
export function clientAdapter({ store, scopesOfCredential, tooLarge }: ClientOptions): Adapter {
  return {
    upsert: async (id, payload) => {
      const { client_secret: secret, ...metadata } = payload;
      const stored = JSON.stringify(secret === undefined ? metadata : { ...metadata, client_secret: digest(secret) });
      if (stored.length > MAX_METADATA_CHARACTERS) throw tooLarge();
      await store.registerClient(id, stored);
    },
    find: async (id) => {
      if (ULID_PATTERN.test(id)) return credentialClient(id, await scopesOfCredential(id));
      const metadata = await store.findClient(id);
      return metadata === null ? undefined : (JSON.parse(metadata) as AdapterPayload); // written by `upsert`
    },
    // Registrations cannot be read, changed or deleted by their clients: the feature is off.
    destroy: async () => undefined,
    consume: async () => undefined,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    revokeByGrantId: async () => undefined,
  };
}

function credentialClient(id: string, scopes: readonly Scope[] | null): AdapterPayload | undefined {
  if (scopes === null) return undefined;
  return {
    client_id: id,
    client_secret: CREDENTIAL_SECRET,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_basic',
  };
}

/**
 * Whether what a client presents is its secret.
 *
 * @param stored as the adapter keeps it
 * @param credentialOf the issued credential whose token this is, null when it is none
 */
export async function isClientSecret(
  client: { readonly clientId: string; readonly clientSecret?: string | undefined },
  presented: string,
  credentialOf: (token: string) => Promise<string | null>,
): Promise<boolean> {
  if (client.clientSecret === CREDENTIAL_SECRET) return (await credentialOf(presented)) === client.clientId;
  return client.clientSecret === digest(presented);
}

/** Of 256 random bits a plain hash is enough; comparing digests tells nothing of the secret by its time. */
const digest = (secret: string): string => `sha256:${createHash('sha256').update(secret).digest('hex')}`;
