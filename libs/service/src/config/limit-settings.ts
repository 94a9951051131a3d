import { optional, wholeNumber } from './schemas.js';
import type { Setting } from './setting.js';

/** 0 lifts the limit. */
const perMinute = (variable: string, what: string, byDefault: number | null): Setting<number | null> => ({
  variable,
  schema: optional(
    wholeNumber(0, 1_000_000).transform((limit) => (limit === 0 ? null : limit)),
    byDefault,
  ),
  expected: `how many ${what} a minute, at most 1000000; 0 for no limit`,
  example: String(byDefault ?? 600),
});

/** No limit unless set: what is much for one credential is known by its installation alone, and agents work in bursts. */
export const credentialRequestsPerMinute = () =>
  perMinute('PERDURE_CREDENTIAL_REQUESTS_PER_MINUTE', 'calls of one credential', null);

/** Requests with a wrong, expired or revoked token. No guess ever hits: this is about the load and the log. */
export const failedAuthenticationsPerMinute = () =>
  perMinute('PERDURE_FAILED_AUTHENTICATIONS_PER_MINUTE', 'requests with a wrong token from one address', 100);

/** To the endpoints and pages that anybody may open: `/oauth/…` and `/sign-in…`. */
export const addressRequestsPerMinute = () =>
  perMinute('PERDURE_ADDRESS_REQUESTS_PER_MINUTE', 'requests for sign-in and authorization from one address', 300);
