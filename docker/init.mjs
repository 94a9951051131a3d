// `node docker/init.mjs [file]`: writes the secrets of compose.yaml into docker/.env, random, readable by you alone.
// What the file has already stays as it is, so it may be run again after an upgrade that needs a new one.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const SECRETS = [
  'PERDURE_SUPERUSER_PASSWORD',
  'PERDURE_OWNER_PASSWORD',
  'PERDURE_APP_PASSWORD',
  'PERDURE_WRITER_PASSWORD',
  'PERDURE_INGEST_PASSWORD',
  'PERDURE_PURGE_PASSWORD',
  'PERDURE_QUEUE_PASSWORD',
  'PERDURE_REDIS_PASSWORD',
];

/** 192 bits; base64url has no character that a url would need encoded. */
const newSecret = () => randomBytes(24).toString('base64url');

const file = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '.env'));
const kept = existsSync(file) ? readFileSync(file, 'utf8') : '# Secrets of this installation. Not for a repository.\n';
const missing = SECRETS.filter((name) => !new RegExp(`^${name}=.`, 'm').test(kept));
const added = missing.map((name) => `${name}=${newSecret()}\n`).join('');
writeFileSync(file, kept.endsWith('\n') ? kept + added : `${kept}\n${added}`, { mode: 0o600 });
chmodSync(file, 0o600);
console.log(
  missing.length === 0
    ? `${file} has all ${SECRETS.length} secrets already; nothing was changed.`
    : `${file}: ${missing.length} secrets written.`,
);
