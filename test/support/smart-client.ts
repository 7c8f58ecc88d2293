import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { send, type Answer } from './api-client.js';

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A key pair of a client, with its public part as it is registered. */
export interface ClientKey {
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly alg: string;
  readonly kid: string;
}

export async function makeClientKey(alg: 'RS384' | 'ES384' | 'RS256', kid: string = randomUUID()): Promise<ClientKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg }, alg, kid };
}

/** What stands in an assertion, beside what a right one has. undefined leaves a claim out. */
export interface AssertionWish {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** A right assertion of a client, but for what is wished otherwise. */
export async function signAssertion(
  clientId: string,
  audience: string,
  key: ClientKey,
  { header = {}, claims = {} }: AssertionWish = {},
): Promise<string> {
  const right = {
    iss: clientId,
    sub: clientId,
    aud: audience,
    exp: Math.floor(Date.now() / 1000) + 240,
    jti: randomUUID(),
  };
  const payload = Object.fromEntries(
    Object.entries({ ...right, ...claims }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header })
    .sign(key.privateKey);
}

export interface TokenForm {
  readonly grant_type?: string;
  readonly scope?: string;
  readonly client_assertion_type?: string;
  readonly client_assertion?: string;
}

/** Asks for a token; fields that are empty are left out. */
export function askToken(tokenUrl: string, form: TokenForm): Promise<Answer> {
  const right = { grant_type: 'client_credentials', client_assertion_type: ASSERTION_TYPE };
  const fields = Object.entries({ ...right, ...form }).filter(([, value]) => value !== '');
  return send('POST', tokenUrl, {
    bytes: Buffer.from(new URLSearchParams(fields).toString()),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  });
}
