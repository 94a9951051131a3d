import type { ClientMetadata } from 'oidc-provider' with { 'resolution-mode': 'import' };

/**
 * Brings what a client says about itself into the one form that clients of this server have: a public or confidential
 * program that redeems codes and refreshes. Called by the library for registrations and metadata documents alike.
 *
 * `native`: only then do loopback ports float (RFC 8252 section 7.3), and plain http is left to loopback. What else a
 * client asks for here (scopes above all) binds nobody: it would keep it from asking for more later (step-up).
 */
export function applyClientRules(metadata: ClientMetadata): void {
  if (metadata.grant_types?.includes('client_credentials') === true) return;
  metadata.application_type = 'native';
  metadata.grant_types = ['authorization_code', 'refresh_token'];
  metadata.response_types = ['code'];
  delete metadata.scope;
  // A document on the web has no secret to share (draft-ietf-oauth-client-id-metadata-document section 4.1).
  if (isMetadataDocument(metadata.client_id)) metadata.token_endpoint_auth_method = 'none';
}

/** Whether a client is known by the address of a document about it rather than by a registration. */
export const isMetadataDocument = (clientId: string): boolean => clientId.startsWith('https://');
