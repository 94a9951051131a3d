import { isOwnToken } from './checksums.js';
import { CLOUD_FORMATS } from './formats/clouds.js';
import { CODE_HOST_FORMATS } from './formats/code-hosts.js';
import { DELIVERY_FORMATS } from './formats/delivery.js';
import { MODEL_VENDOR_FORMATS } from './formats/model-vendors.js';
import { SERVICE_FORMATS } from './formats/services.js';
import type { TokenFormat } from './token-format.js';

/** Ids are ULIDs, secret and checksum base 62; the form is fixed in the operations' `access/token.ts`. */
const OWN_FORMAT: TokenFormat = {
  kind: 'perdure_credential',
  prefixes: ['prd_live_', 'prd_test_', 'prd_access_', 'prd_refresh_', 'prd_link_', 'prd_session_'],
  body: '[0-7][0-9A-HJKMNP-TV-Z]{25}_[0-9A-Za-z]{49}',
  isValid: isOwnToken,
};

/** `{"sub":"1234567890","name":"John Doe"`: the payload that half of all documents about JWTs show. */
const DOCUMENTED_PAYLOAD = '.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l';

const SIGNED_JWT: TokenFormat = {
  kind: 'signed_jwt',
  prefixes: ['eyJ'],
  // Header and payload are JSON objects, `{"` in base 64. A header alone or a cut payload is no credential.
  body: '[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]{20,}',
  longest: 6_144,
  isValid: (body) => !body.includes(DOCUMENTED_PAYLOAD),
};

/** Every credential that is known by its form. */
export const TOKEN_FORMATS: readonly TokenFormat[] = [
  OWN_FORMAT,
  SIGNED_JWT,
  ...CODE_HOST_FORMATS,
  ...CLOUD_FORMATS,
  ...DELIVERY_FORMATS,
  ...MODEL_VENDOR_FORMATS,
  ...SERVICE_FORMATS,
];
