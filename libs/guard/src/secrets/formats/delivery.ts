import type { TokenFormat } from '../token-format.js';
import { looksGenerated } from '../generated-value.js';

/** Build servers, deployment, code quality, observability. */
export const DELIVERY_FORMATS: readonly TokenFormat[] = [
  { kind: 'circleci_token', prefixes: ['CCIPAT_', 'CCIPRJ_'], body: '[0-9A-Za-z]{22}_[0-9a-f]{40}' },
  { kind: 'buildkite_token', prefixes: ['bkua_'], body: '[0-9a-f]{40}' },
  { kind: 'sonar_token', prefixes: ['squ_', 'sqp_', 'sqa_'], body: '[0-9a-f]{40}' },
  { kind: 'sentry_token', prefixes: ['sntryu_', 'sntrya_'], body: '[0-9a-f]{64}' },
  { kind: 'sentry_token', prefixes: ['sntrys_'], body: 'eyJ[0-9A-Za-z+/]{40,}={0,2}_[0-9A-Za-z+/]{40,}' },
  { kind: 'pulumi_token', prefixes: ['pul-'], body: '[0-9a-f]{40}' },
  {
    kind: 'terraform_token',
    prefixes: ['.atlasv1.'],
    before: { of: 'alphanumeric', min: 14, max: 14 },
    body: '[\\w=-]{60,70}',
  },
  {
    kind: 'doppler_token',
    prefixes: ['dp.'],
    body: '(?:pt|ct|sa|scim|audit|st(?:\\.[\\w-]{2,35})?)\\.[0-9A-Za-z]{40,44}',
  },
  { kind: 'postman_key', prefixes: ['PMAK-'], body: '[0-9a-f]{24}-[0-9a-f]{34}' },
  { kind: 'prefect_key', prefixes: ['pnu_'], body: '[0-9A-Za-z]{36}' },
  { kind: 'readme_key', prefixes: ['rdme_'], body: '[0-9a-z]{70}' },
  { kind: 'scalingo_token', prefixes: ['tk-us-'], body: '[\\w-]{48}' },
  { kind: 'infracost_key', prefixes: ['ico-'], body: '[0-9A-Za-z]{32}' },
  { kind: 'harness_token', prefixes: ['pat.', 'sat.'], body: '[\\w-]{22}\\.[0-9A-Za-z]{24}\\.[0-9A-Za-z]{20}' },
  { kind: 'openshift_token', prefixes: ['sha256~'], body: '[\\w-]{43}' },
  { kind: 'grafana_service_account', prefixes: ['glsa_'], body: '[0-9A-Za-z]{32}_[0-9A-Fa-f]{8}' },
  { kind: 'grafana_cloud_token', prefixes: ['glc_'], body: '[0-9A-Za-z+/]{32,}={0,2}' },
  { kind: 'grafana_api_key', prefixes: ['eyJrIjoi'], body: '[0-9A-Za-z+/]{60,}={0,2}' },
  { kind: 'dynatrace_token', prefixes: ['dt0c01.', 'dt0s01.', 'dt0s16.'], body: '[A-Z0-9]{8,24}\\.[A-Z0-9]{64}' },
  { kind: 'new_relic_key', prefixes: ['NRAK-'], body: '[0-9A-Z]{27}' },
  { kind: 'new_relic_key', prefixes: ['NRII-'], body: '[\\w-]{32}' },
  { kind: 'vault_token', prefixes: ['hvs.', 'hvb.', 'hvr.'], body: '[\\w-]{24,}' },
  // The form before version 1.10: short, so it must look random besides.
  { kind: 'vault_token', prefixes: ['s.'], body: '[0-9A-Za-z]{24}', isValid: (body) => looksGenerated(body, 24) },
  {
    kind: 'tailscale_key',
    prefixes: ['tskey-auth-', 'tskey-api-', 'tskey-client-', 'tskey-scim-', 'tskey-webhook-'],
    body: '[0-9A-Za-z]{8,24}-[0-9A-Za-z]{20,64}',
  },
  { kind: 'defined_networking_key', prefixes: ['dnkey-'], body: '[\\w=-]{26}-[\\w=-]{52}' },
  { kind: 'onepassword_service_account', prefixes: ['ops_eyJ'], body: '[\\w+/-]{120,}={0,2}' },
  {
    kind: 'onepassword_secret_key',
    prefixes: ['A3-'],
    body: '[0-9A-Z]{6}-(?:[0-9A-Z]{11}|[0-9A-Z]{6}-[0-9A-Z]{5})(?:-[0-9A-Z]{5}){3}',
  },
  { kind: 'age_secret_key', prefixes: ['AGE-SECRET-KEY-1'], body: '[AC-HJ-NP-Z02-9]{58}' },
];
