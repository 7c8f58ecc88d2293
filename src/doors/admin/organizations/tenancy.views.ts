import { entityTagOf, matchesEntityTag } from '../../../platform/http/entity-tag.js';
import type { Environment } from '../../../core/tenancy/tenant.js';
import { apiKeyStateAt, type ApiKeyRecord } from '../../../core/tenancy/api-key.js';
import { dailyLimitOf, type Organization } from '../../../core/organizations/organization.js';
import { remainingOf, type QuotaUsage } from '../../../core/tenancy/quota-usage.js';
import type { IssuedKey } from '../../../core/organizations/tenancy.service.js';

/**
 * The answers of the admin API and of the command line's --json. Instants are RFC 3339 in UTC. The id of a thing is
 * `id`, as in the native API; `organizationId` of an organization and `keyId` of a key repeat it for scripts written
 * for release 0.1.0.
 */
export interface OrganizationView {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly plan: string;
  /** Analyses per UTC day in force now. */
  readonly dailyLimit: number;
  /** null: the plan's own. */
  readonly dailyLimitOverride: number | null;
  readonly resultPolicy: string;
  readonly autoAnalyze: boolean;
  /** For entries of FHIR Bundles. */
  readonly unservedTypes: string;
  readonly imageHosts: readonly string[];
  /** Whose pages may show the review desk in a frame. */
  readonly reviewFrameOrigins: readonly string[];
  /** IANA zone of printed moments; null: SUTURA_TIME_ZONE. */
  readonly timeZone: string | null;
  readonly createdAt: string;
  /** For `If-Match` of a change. */
  readonly etag: string;
}

export interface KeyView {
  readonly id: string;
  readonly keyId: string;
  readonly organizationId: string;
  readonly environment: Environment;
  readonly prefix: string;
  readonly lastFour: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly replacedBy: string | null;
  readonly lastUsedAt: string | null;
  /** None: from anywhere. */
  readonly allowedNetworks: readonly string[];
  /** It may name the person behind a request (X-Sutura-User). */
  readonly namesPersons: boolean;
}

/** Shown once. */
export interface IssuedKeyView extends KeyView {
  readonly key: string;
}

export interface UsageView {
  readonly organizationId: string;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly resetsInS: number;
}

/** Says whether a setting of the organization was changed meanwhile: for `If-Match`. */
function etagOf({ createdAt, ...settings }: Organization): string {
  return entityTagOf(JSON.stringify([createdAt, Object.entries(settings).sort()]));
}

/** Whether an `If-Match` is of the organization as it is; without one, it is of any. */
export function isAsRead(organization: Organization, ifMatch: string | undefined): boolean {
  return ifMatch === undefined || matchesEntityTag(ifMatch, etagOf(organization));
}

export function toOrganizationView(organization: Organization): OrganizationView {
  const { id, name, plan, dailyLimitOverride, resultPolicy, autoAnalyze, unservedTypes } = organization;
  return {
    id,
    organizationId: id,
    name,
    plan,
    dailyLimit: dailyLimitOf(organization),
    dailyLimitOverride,
    resultPolicy,
    autoAnalyze,
    unservedTypes,
    imageHosts: organization.imageHosts,
    reviewFrameOrigins: organization.reviewFrameOrigins,
    timeZone: organization.timeZone,
    createdAt: organization.createdAt.toISOString(),
    etag: etagOf(organization),
  };
}

export function toKeyView(record: ApiKeyRecord, now: Date): KeyView {
  const {
    id,
    organizationId,
    environment,
    prefix,
    lastFour,
    scopes,
    createdAt,
    expiresAt,
    revokedAt,
    replacedBy,
    lastUsedAt,
  } = record;
  return {
    id,
    keyId: id,
    organizationId,
    environment,
    prefix,
    lastFour,
    scopes,
    state: revokedAt === null ? apiKeyStateAt(record, now) : 'revoked',
    createdAt: createdAt.toISOString(),
    expiresAt: toInstant(expiresAt),
    revokedAt: toInstant(revokedAt),
    replacedBy,
    lastUsedAt: toInstant(lastUsedAt),
    allowedNetworks: record.allowedNetworks,
    namesPersons: record.namesPersons,
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
