import type { TokenFormat } from '../token-format.js';
import { looksGenerated } from '../value-judgement.js';

/** Clouds, hosting and databases. */
export const CLOUD_FORMATS: readonly TokenFormat[] = [
  { kind: 'aws_access_key_id', prefixes: ['AKIA', 'ABIA', 'ACCA'], body: '[A-Z2-7]{16}' },
  { kind: 'aws_temporary_key_id', prefixes: ['ASIA'], body: '[A-Z2-7]{16}' },
  { kind: 'aws_bedrock_key', prefixes: ['ABSK'], body: '[0-9A-Za-z+/]{105,270}={0,2}' },
  { kind: 'google_api_key', prefixes: ['AIza'], body: '[\\w-]{35}' },
  { kind: 'google_oauth_secret', prefixes: ['GOCSPX-'], body: '[\\w-]{28}' },
  { kind: 'google_access_token', prefixes: ['ya29.'], body: '[\\w-]{40,}' },
  { kind: 'google_refresh_token', prefixes: ['1//0'], body: '[\\w-]{40,}' },
  { kind: 'azure_client_secret', prefixes: ['Q~'], before: { of: 'azure', min: 4, max: 4 }, body: '[\\w~.-]{31,34}' },
  {
    kind: 'azure_storage_key',
    prefixes: ['AccountKey='],
    isLabel: true,
    body: '[0-9A-Za-z+/]{86}==',
    // The storage emulator has one key everywhere, printed in its documentation.
    isValid: (body) => !body.startsWith('Eby8vdM02xNOcqFl'),
  },
  { kind: 'azure_shared_access_key', prefixes: ['SharedAccessKey='], isLabel: true, body: '[0-9A-Za-z+/]{43}=' },
  { kind: 'azure_shared_access_signature', prefixes: ['sig='], isLabel: true, body: '[0-9A-Za-z%]{43,90}%3[Dd]' },
  {
    kind: 'azure_devops_token',
    prefixes: ['AZDO'],
    before: { of: 'alphanumeric', min: 76, max: 76 },
    body: '[0-9A-Za-z]{4}',
  },
  { kind: 'alibaba_access_key_id', prefixes: ['LTAI'], body: '[0-9A-Za-z]{20}' },
  { kind: 'tencent_secret_id', prefixes: ['AKID'], body: '[0-9A-Za-z]{32}' },
  { kind: 'yandex_api_key', prefixes: ['AQVN'], body: '[\\w-]{35,38}' },
  { kind: 'digitalocean_token', prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'], body: '[0-9a-f]{64}' },
  { kind: 'cloudflare_origin_ca', prefixes: ['v1.0-'], body: '[0-9a-f]{24}-[0-9a-f]{146}' },
  { kind: 'cloudflare_token', prefixes: ['cfk_', 'cfut_', 'cfat_'], body: '[0-9A-Za-z]{44,56}' },
  { kind: 'heroku_key', prefixes: ['HRKU-AA'], body: '[\\w-]{58}' },
  { kind: 'vercel_token', prefixes: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], body: '[\\w-]{50}[0-9A-Za-z]{6}' },
  { kind: 'netlify_token', prefixes: ['nfp_'], body: '[0-9A-Za-z]{36,40}' },
  { kind: 'fly_token', prefixes: ['fm1a_', 'fm1r_', 'fm2_'], body: '[0-9A-Za-z+/]{80,}={0,2}' },
  { kind: 'fly_token', prefixes: ['fo1_'], body: '[\\w-]{43}' },
  { kind: 'supabase_key', prefixes: ['sbp_'], body: '[0-9a-f]{40}' },
  { kind: 'supabase_key', prefixes: ['sb_secret_'], body: '[\\w-]{28,40}' },
  { kind: 'planetscale_secret', prefixes: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], body: '[\\w.=-]{32,64}' },
  { kind: 'neon_key', prefixes: ['napi_'], body: '[0-9a-z]{60,70}' },
  { kind: 'mongodb_service_secret', prefixes: ['mdb_sa_sk_'], body: '[\\w-]{40}' },
  { kind: 'clickhouse_cloud_secret', prefixes: ['4b1d'], body: '[0-9A-Za-z]{38}', isValid: (body) => looksGenerated(body, 38) },
  { kind: 'databricks_token', prefixes: ['dapi'], body: '[0-9a-f]{32}(?:-[0-9])?' },
];
