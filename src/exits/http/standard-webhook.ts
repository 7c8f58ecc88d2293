import { createHmac, createPrivateKey, createPublicKey, randomBytes, sign, type KeyObject } from 'node:crypto';

/** Ways to sign (Standard Webhooks 1.0.0): `v1` is HMAC-SHA256 with a shared secret, `v1a` ed25519, whose public key alone the receiver has. */
export const SIGNATURE_SCHEMES = ['v1', 'v1a'] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

/** Keys of one endpoint. */
export interface WebhookKeys {
  /** Of HMAC-SHA256; 32 bytes. */
  readonly secret: Buffer;
  /** Of ed25519: the seed of the private key, 32 bytes (RFC 8032). */
  readonly seed: Buffer;
}

/** What is signed: the bytes of the body as they are sent. */
export interface SignedContent {
  /** Without a full stop. */
  readonly id: string;
  /** Unix time in seconds. */
  readonly timestampS: number;
  readonly body: Buffer;
}

const KEY_BYTES = 32;
/** PKCS #8 around the seed of an ed25519 key (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
/** SubjectPublicKeyInfo ends with the key itself. */
const PUBLIC_KEY_BYTES = 32;

export function newWebhookKeys(): WebhookKeys {
  return { secret: randomBytes(KEY_BYTES), seed: randomBytes(KEY_BYTES) };
}

/** The shared secret as the receiver is shown it. */
export function toSecretText(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`;
}

/** The public key of `v1a` as the receiver is shown it. */
export function toPublicKeyText(seed: Buffer): string {
  const spki = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
  return `whpk_${spki.subarray(-PUBLIC_KEY_BYTES).toString('base64')}`;
}

/** `webhook-signature`: one signature for each scheme and each set of keys, the present ones first. */
export function signaturesOf(
  content: SignedContent,
  schemes: readonly SignatureScheme[],
  keys: readonly WebhookKeys[],
): string {
  const signed = Buffer.concat([Buffer.from(`${content.id}.${content.timestampS}.`), content.body]);
  return keys.flatMap((one) => schemes.map((scheme) => `${scheme},${SIGNERS[scheme](signed, one)}`)).join(' ');
}

/** `webhook-signature` by `v1` alone, for an endpoint that has one secret. */
export function sharedSignatureOf(content: SignedContent, secret: Buffer): string {
  return signaturesOf(content, ['v1'], [{ secret, seed: Buffer.alloc(0) }]);
}

const SIGNERS: Readonly<Record<SignatureScheme, (signed: Buffer, keys: WebhookKeys) => string>> = {
  v1: (signed, { secret }) => createHmac('sha256', secret).update(signed).digest('base64'),
  v1a: (signed, { seed }) => sign(null, signed, privateKeyOf(seed)).toString('base64'),
};

function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
}
