import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';
const DAY_MS = 24 * 3600_000;

/**
 * A certificate for `localhost` and 127.0.0.1 that signs itself, so that a test can serve https (RFC 5280 in DER). A
 * process trusts it when NODE_EXTRA_CA_CERTS names a file with it.
 */
export function selfSignedCertificate(): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const name = sequence(tagged(0x31, sequence(oid(COMMON_NAME), tagged(0x0c, Buffer.from('localhost')))));
  const validity = sequence(instant(-DAY_MS), instant(DAY_MS));
  const altNames = sequence(tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(
    sequence(oid(SUBJECT_ALT_NAME), octets(altNames)),
    sequence(oid(BASIC_CONSTRAINTS), octets(sequence(tagged(0x01, Buffer.from([0xff]))))),
  );
  const toBeSigned = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const bits = tagged(0x03, Buffer.concat([Buffer.from([0]), signature]));
  const certificate = sequence(toBeSigned, algorithm, bits).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function tagged(tag: number, content: Buffer): Buffer {
  const length = content.length;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const octets = (content: Buffer): Buffer => tagged(0x04, content);

/** UTCTime, counted from now. */
function instant(offsetMs: number): Buffer {
  const text = new Date(Date.now() + offsetMs).toISOString();
  return tagged(0x17, Buffer.from(`${text.slice(2, 19).replace(/[-:T]/g, '')}Z`));
}
