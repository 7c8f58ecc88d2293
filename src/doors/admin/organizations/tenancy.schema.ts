import { z } from 'zod';
import { RESULT_POLICIES, UNSERVED_TYPES_POLICIES } from '../../../core/organizations/organization.js';
import { PLANS } from '../../../core/organizations/organization.js';
import { isBrowserOrigin } from '../../../core/organizations/browser-origins.js';
import { isHttpsOrigin } from '../../../core/tenancy/https-origin.js';
import { SCOPES } from '../../../core/tenancy/api-key.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { timeZone } from '../../../platform/config/value-schemas.js';
import { plainText } from '../../../platform/http/text.schema.js';

const DEFAULT_OVERLAP_S = 86_400;
const LONGEST_OVERLAP_S = 30 * 86_400;
/** 30 days. */
const LONGEST_UNMATCHED_MINUTES = 43_200;
const HIGHEST_DAILY_LIMIT = 10_000_000;

const name = plainText(255);
const instant = z.iso.datetime({ offset: true });
const future = instant.refine((text) => Date.parse(text) > Date.now(), { error: 'must lie in the future' });

export const NEW_ORGANIZATION = z.strictObject({ name, plan: z.enum(PLANS) });

/** `host` or `host:port` in lower case; no scheme, no path. */
const IMAGE_HOST =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::[1-9][0-9]{0,4})?$/;
const imageHost = z.string().refine((text) => text.length <= 260 && IMAGE_HOST.test(text), {
  error: 'must be a host name in lower case, with a port where it is not 443',
});
const MOST_IMAGE_HOSTS = 50;

/** As a browser names it: `https://host`, with a port where it is not 443. */
const FRAME_ORIGIN = z.string().refine(isHttpsOrigin, {
  error: 'must be an https origin as a browser names it, such as https://ehr.example.org: no path, no wild card',
});
const MOST_FRAME_ORIGINS = 20;

/** As `FRAME_ORIGIN`, and a page of the machine on which it is made. */
const BROWSER_ORIGIN = z.string().refine(isBrowserOrigin, {
  error:
    'must be an https origin as a browser names it, such as https://ehr.example.org, or http://localhost:PORT for tests: no path, no wild card',
});
const MOST_BROWSER_ORIGINS = 20;

const MOST_NETWORKS = 50;
/** CIDR: `10.20.0.0/16`, `2001:db8:1::/48`; a single address is `192.0.2.7/32`. */
export const allowedNetworks = z.array(z.union([z.cidrv4(), z.cidrv6()])).max(MOST_NETWORKS);

/** `dailyLimit` null goes back to the plan's own, `timeZone` null to the service's; `unmatchedAfterMinutes` null: nothing is listed. */
export const ORGANIZATION_CHANGE = z
  .strictObject({
    name: name.optional(),
    plan: z.enum(PLANS).optional(),
    dailyLimit: z.int().min(0).max(HIGHEST_DAILY_LIMIT).nullable().optional(),
    resultPolicy: z.enum(RESULT_POLICIES).optional(),
    autoAnalyze: z.boolean().optional(),
    unservedTypes: z.enum(UNSERVED_TYPES_POLICIES).optional(),
    imageHosts: z.array(imageHost).max(MOST_IMAGE_HOSTS).optional(),
    reviewFrameOrigins: z.array(FRAME_ORIGIN).max(MOST_FRAME_ORIGINS).optional(),
    browserOrigins: z.array(BROWSER_ORIGIN).max(MOST_BROWSER_ORIGINS).optional(),
    deliveryNetworks: allowedNetworks.optional(),
    timeZone: timeZone.nullable().optional(),
    unmatchedAfterMinutes: z.int().min(1).max(LONGEST_UNMATCHED_MINUTES).nullable().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, { error: 'must change something' });

/** Of a key or a client. No networks: from anywhere. */
export const CREDENTIAL_CHANGE = z
  .strictObject({ allowedNetworks: allowedNetworks.optional(), namesPersons: z.boolean().optional() })
  .refine((change) => Object.keys(change).length > 0, { error: 'must change something' });

export const NEW_KEY = z.strictObject({
  environment: z.enum(ENVIRONMENTS),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .max(SCOPES.length)
    .refine((scopes) => new Set(scopes).size === scopes.length, { error: 'must not repeat a scope' }),
  expiresAt: future.optional(),
  allowedNetworks: allowedNetworks.optional(),
  namesPersons: z.boolean().optional(),
});

export const KEY_ROTATION = z.strictObject({
  overlapS: z.int().min(0).max(LONGEST_OVERLAP_S).default(DEFAULT_OVERLAP_S),
});

/** For the audit trail. */
export function changeText({ allowedNetworks, namesPersons }: CredentialChangeInput): string {
  const networks = allowedNetworks === undefined ? [] : [`allowedNetworks=${allowedNetworks.join(',')}`];
  return [...networks, ...(namesPersons === undefined ? [] : [`namesPersons=${namesPersons}`])].join('&');
}

export type CredentialChangeInput = z.output<typeof CREDENTIAL_CHANGE>;
