import type { TokenFormat } from '../token-format.js';
import { looksGenerated } from '../generated-value.js';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Messaging, mail, payments, trackers and other services. */
export const SERVICE_FORMATS: readonly TokenFormat[] = [
  {
    kind: 'slack_token',
    prefixes: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxo-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxe-'],
    body: '(?:[0-9]-)?[0-9]{8,14}-[0-9A-Za-z-]{18,}',
  },
  {
    kind: 'slack_configuration_token',
    prefixes: ['xoxe-', 'xoxe.xoxp-', 'xoxe.xoxb-'],
    body: '[0-9]-[0-9A-Za-z]{140,}',
  },
  { kind: 'slack_app_token', prefixes: ['xapp-'], body: '[0-9]-[0-9A-Z]{8,14}-[0-9]{10,14}-[0-9a-z]{20,70}' },
  {
    kind: 'slack_webhook',
    prefixes: ['hooks.slack.com/'],
    body: '(?:services|workflows|triggers)/[0-9A-Z]{8,14}/[0-9A-Z]{8,20}/[0-9A-Za-z/]{20,80}',
  },
  {
    kind: 'discord_bot_token',
    prefixes: ['.'],
    before: { of: 'base64url', min: 24, max: 28 },
    body: '[\\w-]{6}\\.[\\w-]{27,40}',
    // Decimal digits in base 64 begin with one of three letters. Names of modules and files have no such shape.
    isValid: (_body, token) => 'MNO'.includes(token.charAt(0)) && looksGenerated(token, 59),
  },
  {
    kind: 'discord_webhook',
    prefixes: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    body: '[0-9]{17,20}/[\\w-]{60,}',
  },
  {
    kind: 'teams_webhook',
    prefixes: ['.webhook.office.com/webhookb2/'],
    before: { of: 'base64url', min: 1, max: 63 },
    body: `${UUID}@${UUID}/IncomingWebhook/[0-9a-f]{32}/${UUID}`,
  },
  { kind: 'telegram_bot_token', prefixes: [':AA'], before: { of: 'digit', min: 8, max: 10 }, body: '[\\w-]{33}' },
  { kind: 'twilio_api_key', prefixes: ['SK'], body: '[0-9A-Fa-f]{32}' },
  { kind: 'sendgrid_key', prefixes: ['SG.'], body: '[\\w-]{20,24}\\.[\\w-]{39,50}' },
  { kind: 'mailgun_key', prefixes: ['key-'], body: '[0-9a-f]{32}' },
  { kind: 'mailchimp_key', prefixes: ['-us'], before: { of: 'hex', min: 32, max: 32 }, body: '[0-9]{1,2}' },
  { kind: 'brevo_key', prefixes: ['xkeysib-', 'xsmtpsib-'], body: '[0-9a-f]{64}-[0-9A-Za-z]{16}' },
  { kind: 'resend_key', prefixes: ['re_'], body: '[0-9A-Za-z]{8}_[0-9A-Za-z]{24}' },
  { kind: 'linear_api_key', prefixes: ['lin_api_'], body: '[0-9A-Za-z]{40}' },
  { kind: 'linear_oauth_token', prefixes: ['lin_oauth_'], body: '[0-9a-f]{64}' },
  { kind: 'notion_token', prefixes: ['ntn_'], body: '[0-9A-Za-z]{40,60}' },
  { kind: 'notion_token', prefixes: ['secret_'], body: '[0-9A-Za-z]{43}' },
  { kind: 'airtable_token', prefixes: ['pat'], body: '[0-9A-Za-z]{14}\\.[0-9a-f]{64}' },
  { kind: 'figma_token', prefixes: ['figd_', 'figu_', 'figo_'], body: '[\\w-]{40,50}' },
  { kind: 'clickup_token', prefixes: ['pk_'], body: '[0-9]{6,10}_[0-9A-Z]{32}' },
  { kind: 'hubspot_token', prefixes: ['pat-na1-', 'pat-na2-', 'pat-eu1-'], body: UUID },
  { kind: 'salesforce_token', prefixes: ['00D'], body: '[0-9A-Za-z]{12,15}![\\w.]{80,120}' },
  { kind: 'facebook_token', prefixes: ['EAA'], body: '[0-9A-Za-z]{100,}' },
  { kind: 'typeform_token', prefixes: ['tfp_'], body: '[\\w.=-]{40,}' },
  { kind: 'contentful_token', prefixes: ['CFPAT-'], body: '[\\w-]{43}' },
  { kind: 'mapbox_secret_token', prefixes: ['sk.eyJ1'], body: '[\\w-]{40,}\\.[\\w-]{20,24}' },
  { kind: 'dropbox_token', prefixes: ['sl.'], body: '(?:u\\.)?[\\w-]{130,}' },
  { kind: 'frameio_token', prefixes: ['fio-u-'], body: '[\\w=-]{64}' },
  { kind: 'adobe_client_secret', prefixes: ['p8e-'], body: '[0-9A-Za-z]{32}' },
  { kind: 'shopify_token', prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], body: '[0-9A-Fa-f]{32}' },
  {
    kind: 'stripe_key',
    prefixes: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'],
    body: '[0-9A-Za-z]{20,}',
  },
  { kind: 'stripe_webhook_secret', prefixes: ['whsec_'], body: '[0-9A-Za-z+/]{32,}={0,2}' },
  { kind: 'square_token', prefixes: ['EAAA'], body: '[\\w-]{60}' },
  { kind: 'square_token', prefixes: ['sq0atp-'], body: '[\\w-]{22}' },
  { kind: 'square_secret', prefixes: ['sq0csp-'], body: '[\\w-]{43}' },
  { kind: 'paypal_braintree_token', prefixes: ['access_token$production$'], body: '[0-9a-z]{16}\\$[0-9a-f]{32}' },
  { kind: 'plaid_token', prefixes: ['access-sandbox-', 'access-development-', 'access-production-'], body: UUID },
  { kind: 'shippo_token', prefixes: ['shippo_live_', 'shippo_test_'], body: '[0-9A-Fa-f]{40}' },
  { kind: 'easypost_key', prefixes: ['EZAK', 'EZTK'], body: '[0-9A-Za-z]{54}' },
  { kind: 'duffel_token', prefixes: ['duffel_live_', 'duffel_test_'], body: '[\\w=-]{43}' },
  { kind: 'flutterwave_key', prefixes: ['FLWSECK-', 'FLWSECK_TEST-'], body: '[0-9a-z]{32}-X' },
  { kind: 'lob_key', prefixes: ['live_', 'test_'], body: '[0-9a-f]{35}' },
  {
    kind: 'twitter_bearer_token',
    prefixes: ['AAAAAAAAAAAAAAAAAAAAAA'],
    body: '[0-9A-Za-z%]{60,}',
    // Twenty-two zero bytes also begin many a binary file in base 64; a percent escape does not occur there.
    isValid: (body) => body.includes('%'),
  },
  { kind: 'intra42_secret', prefixes: ['s-s4t2ud-', 's-s4t2af-'], body: '[0-9a-f]{64}' },
  { kind: 'woocommerce_secret', prefixes: ['cs_'], body: '[0-9a-f]{40}' },
];
