import { createHmac } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import type { Fields } from './json.js';

/** The algorithms that the parts of the EHR sign with. */
export type SigningAlgorithm = 'RS256' | 'RS384' | 'ES384';

/** How a token is signed; every way but `right` must be refused. */
export type Signature =
  | 'right'
  | 'alg-none'
  | 'hs256-secret'
  | 'hs256-public-key'
  | 'other-key'
  | 'unknown-kid'
  | 'no-kid'
  | 'tampered';

/** One published key pair, and what else is needed to sign wrongly. Keys are made when they are first needed: that takes a quarter of a second. */
export class Signer {
  private made: Promise<SignerKeys> | undefined;

  constructor(
    private readonly algorithm: SigningAlgorithm,
    private readonly kid: string,
  ) {}

  /** The published half as a JWKS. */
  async keySet(): Promise<Fields> {
    return { keys: [(await this.keys).jwk] };
  }

  private get keys(): Promise<SignerKeys> {
    return (this.made ??= makeKeys(this.algorithm, this.kid));
  }

  /** A compact JWT. `secret` is what the receiver shares with this signer, for `hs256-secret`; `header` overrides, undefined leaves out. */
  async sign(
    claims: Fields,
    signature: Signature = 'right',
    { secret = '', header = {} }: SigningWish = {},
  ): Promise<string> {
    const stated = { alg: this.algorithm, kid: this.kid, typ: 'JWT', ...header };
    const { privateKey, publicKey, other } = await this.keys;
    switch (signature) {
      case 'right':
        return this.bySigner(claims, stated, privateKey);
      case 'other-key':
        return this.bySigner(claims, stated, other);
      case 'unknown-kid':
        return this.bySigner(claims, { ...stated, kid: 'unknown' }, privateKey);
      case 'no-kid':
        return this.bySigner(claims, { ...stated, kid: undefined }, privateKey);
      case 'alg-none':
        return `${encoded({ ...stated, alg: 'none' })}.${encoded(claims)}.`;
      case 'hs256-secret':
        return byHmac(claims, stated, secret);
      case 'hs256-public-key':
        return byHmac(claims, stated, await exportSPKI(publicKey));
      case 'tampered': {
        const [head, , sealed] = (await this.bySigner(claims, stated, privateKey)).split('.');
        return `${head!}.${encoded({ ...claims, sub: 'somebody-else' })}.${sealed!}`;
      }
    }
  }

  private bySigner(claims: Fields, header: Fields, key: CryptoKey): Promise<string> {
    return new SignJWT(present(claims)).setProtectedHeader({ alg: this.algorithm, ...present(header) }).sign(key);
  }
}

interface SigningWish {
  readonly secret?: string;
  readonly header?: Fields;
}

/** Without what is undefined, which leaves a claim out. */
function present(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function encoded(fields: Fields): string {
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

function byHmac(claims: Fields, header: Fields, secret: string): string {
  const signed = `${encoded({ ...header, alg: 'HS256' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

interface SignerKeys {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly other: CryptoKey;
  readonly jwk: JWK;
}

async function makeKeys(algorithm: SigningAlgorithm, kid: string): Promise<SignerKeys> {
  const [{ privateKey, publicKey }, wrong] = await Promise.all([
    generateKeyPair(algorithm, { extractable: true }),
    generateKeyPair(algorithm, { extractable: true }),
  ]);
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' };
  return { privateKey, publicKey, other: wrong.privateKey, jwk };
}
