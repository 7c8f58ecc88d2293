import { z } from 'zod';
import type { ClientKeys } from '../../../core/tenancy/client-record.js';
import { readSystemScope, textOf } from '../../../core/tenancy/system-scopes.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { allowedNetworks } from './tenancy.schema.js';
import { PUBLIC_KEY_SET } from '../../../identity/keys/public-key-set.js';

const MOST_SCOPES = 50;
const LONGEST_URL = 2000;

const scope = z.string().transform((text, context) => {
  const read = readSystemScope(text);
  if (read !== null) return textOf(read);
  context.addIssue({ code: 'custom', message: 'must be a system scope, such as system/Media.c or system/*.rs' });
  return z.NEVER;
});

const keySetUrl = z.url({ protocol: /^https$/, error: 'must be an https address' }).max(LONGEST_URL);

const KEYS = { jwks: PUBLIC_KEY_SET.optional(), jwksUrl: keySetUrl.optional() };
const ONE_OF_TWO = { error: 'must have either jwks or jwksUrl' };
const hasOne = ({ jwks, jwksUrl }: KeySource): boolean => (jwks === undefined) !== (jwksUrl === undefined);

interface KeySource {
  readonly jwks?: z.output<typeof PUBLIC_KEY_SET> | undefined;
  readonly jwksUrl?: string | undefined;
}

/** `scopes` come out as `system/Type.crus`. */
export const NEW_CLIENT = z
  .strictObject({
    name: plainText(255),
    environment: z.enum(ENVIRONMENTS),
    scopes: z.array(scope).min(1).max(MOST_SCOPES),
    allowedNetworks: allowedNetworks.optional(),
    namesPersons: z.boolean().optional(),
    ...KEYS,
  })
  .refine(hasOne, ONE_OF_TWO);

export const CLIENT_ROTATION = z.strictObject(KEYS).refine(hasOne, ONE_OF_TWO);

export function keysOf({ jwks, jwksUrl }: KeySource): ClientKeys {
  return jwks === undefined ? { kind: 'address', url: jwksUrl! } : { kind: 'given', keys: jwks.keys };
}
