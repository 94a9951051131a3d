export { addressesOf, type Addresses } from './addresses.js';
export { createAuthorization, type AuthorizationOptions } from './create-authorization.js';
export type { IdentityProviderSettings } from './sign-in/identity-provider.js';
