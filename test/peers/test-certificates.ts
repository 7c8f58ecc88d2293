import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A key with its certificate, in PEM. */
export interface Identity {
  readonly key: string;
  readonly certificate: string;
}

export interface Authority extends Identity {
  /** A certificate for `localhost` and 127.0.0.1 under this common name, that ends in so many days (1), or ended where they are negative. */
  issue(commonName: string, days?: number): Identity;
}

const DAY_MS = 86_400_000;
const OIDS = {
  ecdsaWithSha256: '06082a8648ce3d040302',
  commonName: '0603550403',
  basicConstraints: '0603551d13',
  subjectAltName: '0603551d11',
  subjectKeyId: '0603551d0e',
};

/** Certificates of a test's own, made anew: no key lies in a repository, and none expires. */
export function createAuthority(commonName = 'Test authority'): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = certify({
    subject: commonName,
    issuer: commonName,
    publicKey: own.publicKey,
    signer: own.privateKey,
    days: 1,
    isAuthority: true,
  });
  return {
    key: pemOf(own.privateKey),
    certificate,
    issue: (subject, days = 1) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return {
        key: pemOf(privateKey),
        certificate: certify({
          subject,
          issuer: commonName,
          publicKey,
          signer: own.privateKey,
          days,
          isAuthority: false,
        }),
      };
    },
  };
}

interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly days: number;
  readonly isAuthority: boolean;
}

/** X.509 version 3 in DER (RFC 5280), signed with ECDSA. */
function certify({ subject, issuer, publicKey, signer, days, isAuthority }: CertificateFacts): string {
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = sequence(hex(OIDS.ecdsaWithSha256));
  const names = sequence(tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(
    extension(OIDS.basicConstraints, sequence(...(isAuthority ? [tagged(0x01, Buffer.from([0xff]))] : []))),
    extension(OIDS.subjectKeyId, tagged(0x04, createHash('sha1').update(publicInfo).digest())),
    ...(isAuthority ? [] : [extension(OIDS.subjectAltName, names)]),
  );
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(issuer),
    sequence(timeOf(Date.now() - Math.max(1, 1 - days) * DAY_MS), timeOf(Date.now() + days * DAY_MS)),
    nameOf(subject),
    publicInfo,
    tagged(0xa3, extensions),
  );
  const certificate = sequence(
    body,
    algorithm,
    tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, signer)])),
  );
  // A blank line before the end, as lines of 64 letters alone would leave one, is no PEM.
  const lines = certificate.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function nameOf(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(hex(OIDS.commonName), tagged(0x0c, Buffer.from(commonName)))));
}

function timeOf(instantMs: number): Buffer {
  return tagged(0x17, Buffer.from(`${new Date(instantMs).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
}

function extension(oid: string, value: Buffer): Buffer {
  return sequence(hex(oid), tagged(0x04, value));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
