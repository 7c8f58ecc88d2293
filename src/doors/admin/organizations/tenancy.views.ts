import { z } from 'zod';
import { entityTagOf, matchesEntityTag } from '../../../platform/http/entity-tag.js';
import { apiKeyStateAt, SCOPES, type ApiKeyRecord } from '../../../core/tenancy/api-key.js';
import {
  dailyLimitOf,
  PLANS,
  RESULT_POLICIES,
  UNSERVED_TYPES_POLICIES,
  type Organization,
} from '../../../core/organizations/organization.js';
import { remainingOf, type QuotaUsage } from '../../../core/tenancy/quota-usage.js';
import { id, list, moment, owner } from '../action/answer-fields.js';
import type { IssuedKey } from '../../../core/organizations/tenancy.service.js';

/**
 * The answers of the admin API and of the command line's --json. The id of a thing is `id`, as in the native API; `organizationId` of an
 * organization and `keyId` of a key repeat it for scripts written for release 0.1.0.
 */
export const ORGANIZATION_VIEW = z.object({
  id,
  organizationId: id,
  name: z.string(),
  plan: z.enum(PLANS),
  dailyLimit: z.int().describe('Analyses per UTC day in force now.'),
  dailyLimitOverride: z.int().nullable().describe('null: the plan’s own.'),
  resultPolicy: z.enum(RESULT_POLICIES),
  autoAnalyze: z.boolean(),
  unservedTypes: z.enum(UNSERVED_TYPES_POLICIES).describe('For entries of FHIR Bundles.'),
  imageHosts: list(z.string()),
  reviewFrameOrigins: list(z.string()).describe('Whose pages may show the review desk in a frame.'),
  browserOrigins: list(z.string()).describe('Whose pages may call the native API with its keys.'),
  deliveryNetworks: list(z.string()).describe(
    'Networks inside that its webhooks and Subscriptions may be sent to, beside SUTURA_DELIVERY_NETWORKS.',
  ),
  timeZone: z.string().nullable().describe('IANA zone of printed moments; null: SUTURA_TIME_ZONE.'),
  unmatchedAfterMinutes: z
    .int()
    .nullable()
    .describe('So long an order waits for its photo, and a photo for its order, before they are listed; null: never.'),
  createdAt: moment,
  etag: z.string().describe('For If-Match of a change.'),
});

/** What a key and a client may do, and from where. */
export const credentialLimits = {
  allowedNetworks: list(z.string()).describe('None: from anywhere.'),
  namesPersons: z.boolean().describe('It may name the person behind a request (X-Sutura-User).'),
};

export const KEY_VIEW = z.object({
  id,
  keyId: id,
  ...owner,
  prefix: z.string(),
  lastFour: z.string(),
  scopes: list(z.enum(SCOPES)),
  state: z.enum(['active', 'expired', 'revoked']),
  createdAt: moment,
  expiresAt: moment.nullable(),
  revokedAt: moment.nullable(),
  replacedBy: id.nullable(),
  lastUsedAt: moment.nullable(),
  ...credentialLimits,
});
export const ISSUED_KEY_VIEW = KEY_VIEW.extend({ key: z.string().describe('Shown this once.') });

export const USAGE_VIEW = z.object({
  organizationId: id,
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
  resetsInS: z.int(),
});

export type OrganizationView = z.output<typeof ORGANIZATION_VIEW>;
export type KeyView = z.output<typeof KEY_VIEW>;
export type IssuedKeyView = z.output<typeof ISSUED_KEY_VIEW>;
export type UsageView = z.output<typeof USAGE_VIEW>;

/** Says whether a setting of the organization was changed meanwhile: for `If-Match`. */
function etagOf({ createdAt, ...settings }: Organization): string {
  return entityTagOf(JSON.stringify([createdAt, Object.entries(settings).sort()]));
}

/** Whether an `If-Match` is of the organization as it is; without one, it is of any. */
export function isAsRead(organization: Organization, ifMatch: string | undefined): boolean {
  return ifMatch === undefined || matchesEntityTag(ifMatch, etagOf(organization));
}

export function toOrganizationView(organization: Organization): OrganizationView {
  const { id: organizationId, createdAt, ...settings } = organization;
  return {
    id: organizationId,
    organizationId,
    ...settings,
    dailyLimit: dailyLimitOf(organization),
    createdAt: createdAt.toISOString(),
    etag: etagOf(organization),
  };
}

export function toKeyView(record: ApiKeyRecord, now: Date): KeyView {
  const { id: keyId, createdAt, expiresAt, revokedAt, lastUsedAt, ...key } = record;
  return {
    id: keyId,
    keyId,
    ...key,
    state: revokedAt === null ? apiKeyStateAt(record, now) : 'revoked',
    createdAt: createdAt.toISOString(),
    expiresAt: toInstant(expiresAt),
    revokedAt: toInstant(revokedAt),
    lastUsedAt: toInstant(lastUsedAt),
  };
}

export function toIssuedKeyView({ record, text }: IssuedKey, now: Date): IssuedKeyView {
  return { ...toKeyView(record, now), key: text };
}

export function toUsageView(organizationId: string, usage: QuotaUsage): UsageView {
  const { limit, used, resetsInS } = usage;
  return { organizationId, limit, used, remaining: remainingOf(usage), resetsInS };
}

function toInstant(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
