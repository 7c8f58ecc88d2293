import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { z } from 'zod';
import type { PublicJwk } from '../../core/tenancy/client-record.js';

const MOST_KEYS = 20;
const LEAST_RSA_BITS = 2048;
/** Members that only the owner of a key may have (RFC 7518 6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const KEY = z
  .looseObject({ kty: z.enum(['RSA', 'EC']), kid: z.string().min(1).max(256) })
  .refine((key) => !PRIVATE_MEMBERS.some((member) => member in key), {
    error: 'is a private key: make a new pair, and send the public key alone',
  })
  .refine(isUsable, { error: `must be RSA of ${LEAST_RSA_BITS} bits or more, or EC on P-384` });

/** Public keys for RS384 and ES384 (RFC 7517); others beside them are left out. At least one. */
export const PUBLIC_KEY_SET = z
  .object({ keys: z.array(KEY).min(1).max(MOST_KEYS) })
  .refine(({ keys }) => new Set(keys.map(({ kid }) => kid)).size === keys.length, {
    error: 'must have another kid for each key',
  });

/** The usable keys of a remote key set; others are ignored. */
export function publicKeySet(found: unknown): { readonly keys: readonly PublicJwk[] } {
  const { keys } = z.object({ keys: z.array(z.unknown()) }).parse(found);
  return { keys: keys.slice(0, MOST_KEYS).flatMap((key) => KEY.safeParse(key).data ?? []) };
}

function isUsable(key: Readonly<Record<string, unknown>>): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    return asymmetricKeyType === 'rsa'
      ? (asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_RSA_BITS
      : asymmetricKeyDetails?.namedCurve === 'secp384r1';
  } catch {
    return false;
  }
}
