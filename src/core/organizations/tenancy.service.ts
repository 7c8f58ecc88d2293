import { SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { OrganizationChange, OrganizationRepository } from './organization.repository.js';
import type { KeyMint } from './key-mint.js';
import type { ApiKeyRepository } from './api-key.repository.js';
import type { QuotaLedger } from './quota-ledger.js';
import type { Transaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { ApiKeyRecord, CredentialChange } from '../tenancy/api-key.js';
import { dailyLimitOf, PLAN_TERMS, UNMATCHED_AFTER_MINUTES, type Organization, type Plan } from './organization.js';
import type { QuotaUsage } from '../tenancy/quota-usage.js';
import type { Scope } from '../tenancy/api-key.js';
import { requireMayChange, requireMayGive } from './given-rights.js';
import type { HeldRights } from '../tenancy/roles.js';
import type { Environment } from '../tenancy/tenant.js';

export interface TenancyServicePorts {
  readonly unitOfWork: UnitOfWork;
  readonly organizations: OrganizationRepository;
  readonly keys: ApiKeyRepository;
  readonly quota: QuotaLedger;
  readonly mint: KeyMint;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** A key just made; the only moment at which its text exists outside the caller. */
export interface IssuedKey {
  readonly record: ApiKeyRecord;
  readonly text: string;
}

export interface KeyRequest {
  readonly organizationId: string;
  readonly environment: Environment;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
  /** None or absent: from anywhere. */
  readonly allowedNetworks?: readonly string[];
  /** It may name the person behind a request. */
  readonly namesPersons?: boolean;
}

/** Organizations, plans and keys: what the command line and the admin API offer. */
export class TenancyService {
  constructor(private readonly ports: TenancyServicePorts) {}

  createOrganization(name: string, plan: Plan): Promise<Organization> {
    const organization: Organization = {
      id: this.ports.ids.next(),
      name,
      plan,
      dailyLimitOverride: null,
      resultPolicy: 'review',
      autoAnalyze: false,
      unservedTypes: 'refuse',
      imageHosts: [],
      reviewFrameOrigins: [],
      browserOrigins: [],
      deliveryNetworks: [],
      timeZone: null,
      unmatchedAfterMinutes: UNMATCHED_AFTER_MINUTES,
      createdAt: this.ports.clock.now(),
    };
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      await this.ports.organizations.insert(transaction, organization);
      return organization;
    });
  }

  listOrganizations(): Promise<Organization[]> {
    return this.ports.unitOfWork.inSystem((transaction) => this.ports.organizations.list(transaction));
  }

  /** `organization.not_found`. */
  findOrganization(organizationId: string): Promise<Organization> {
    return this.ports.unitOfWork.inSystem((transaction) => this.requireOrganization(transaction, organizationId));
  }

  /** `organization.not_found`; `organization.changed` where it is not as expected by now. What was used today stays used; a lower limit only stops what comes after. */
  changeOrganization(
    organizationId: string,
    change: OrganizationChange,
    isExpected: (organization: Organization) => boolean = () => true,
  ): Promise<Organization> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      const present = await this.lockOrganization(transaction, organizationId);
      if (!isExpected(present)) throw new SuturaError('organization.changed');
      await this.ports.organizations.update(transaction, organizationId, change);
      return this.requireOrganization(transaction, organizationId);
    });
  }

  /** `giver`: as requireMayGive has it. `auth.role`, `organization.not_found`, `key.limit`, `key.live_not_allowed`. */
  createKey(request: KeyRequest, giver?: HeldRights): Promise<IssuedKey> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      requireMayGive(giver, { namesPersons: false, ...request });
      const organization = await this.lockOrganization(transaction, request.organizationId);
      const terms = PLAN_TERMS[organization.plan];
      if (request.environment === 'live' && !terms.live) throw new SuturaError('key.live_not_allowed');
      const active = await this.ports.keys.countActive(transaction, organization.id);
      if (active >= terms.apiKeys) throw new SuturaError('key.limit');
      return this.issue(transaction, request);
    });
  }

  /** A new key with the same rights; the old one works for `overlapS` more seconds. `auth.role` where the giver lacks one of these; `key.not_found` also for ended keys. */
  rotateKey(keyId: string, overlapS: number, giver?: HeldRights): Promise<IssuedKey> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      const old = await this.requireKey(transaction, keyId);
      requireMayGive(giver, old);
      await this.lockOrganization(transaction, old.organizationId);
      const now = this.ports.clock.now();
      const ended =
        old.revokedAt !== null || old.replacedBy !== null || (old.expiresAt !== null && old.expiresAt <= now);
      if (ended)
        throw new SuturaError('key.not_found', {
          detail: 'Only an active key can be rotated; this one was revoked, replaced or has expired.',
        });
      const issued = await this.issue(transaction, { ...old, scopes: old.scopes });
      const overlapEnd = new Date(now.getTime() + overlapS * 1000);
      const expiresAt = old.expiresAt !== null && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
      await this.ports.keys.replace(transaction, old.id, issued.record.id, expiresAt);
      return issued;
    });
  }

  /** Takes effect within 5 seconds. `auth.role`, `key.not_found`. */
  changeKey(keyId: string, change: CredentialChange, giver?: HeldRights): Promise<ApiKeyRecord> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      requireMayChange(giver, await this.requireKey(transaction, keyId), change);
      await this.ports.keys.change(transaction, keyId, change);
      return this.requireKey(transaction, keyId);
    });
  }

  /** `key.not_found`. Revoking twice is no error. */
  revokeKey(keyId: string): Promise<ApiKeyRecord> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      const key = await this.requireKey(transaction, keyId);
      await this.ports.keys.revoke(transaction, keyId);
      return key;
    });
  }

  listKeys(organizationId: string): Promise<ApiKeyRecord[]> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      await this.requireOrganization(transaction, organizationId);
      return this.ports.keys.list(transaction, organizationId);
    });
  }

  usage(organizationId: string): Promise<QuotaUsage> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      const organization = await this.requireOrganization(transaction, organizationId);
      return this.ports.quota.usage(transaction, organizationId, dailyLimitOf(organization));
    });
  }

  private async issue(transaction: Transaction, request: KeyRequest): Promise<IssuedKey> {
    const minted = this.ports.mint.mint(request.environment);
    const record: ApiKeyRecord = {
      id: this.ports.ids.next(),
      organizationId: request.organizationId,
      environment: request.environment,
      prefix: minted.prefix,
      lastFour: minted.lastFour,
      scopes: request.scopes,
      createdAt: this.ports.clock.now(),
      expiresAt: request.expiresAt,
      revokedAt: null,
      replacedBy: null,
      lastUsedAt: null,
      allowedNetworks: request.allowedNetworks ?? [],
      namesPersons: request.namesPersons ?? false,
    };
    await this.ports.keys.insert(transaction, record, minted.sha256);
    return { record, text: minted.text };
  }

  private async requireOrganization(transaction: Transaction, organizationId: string): Promise<Organization> {
    const organization = await this.ports.organizations.find(transaction, organizationId);
    if (organization === null) throw new SuturaError('organization.not_found');
    return organization;
  }

  private async lockOrganization(transaction: Transaction, organizationId: string): Promise<Organization> {
    const organization = await this.ports.organizations.findForUpdate(transaction, organizationId);
    if (organization === null) throw new SuturaError('organization.not_found');
    return organization;
  }

  private async requireKey(transaction: Transaction, keyId: string): Promise<ApiKeyRecord> {
    const key = await this.ports.keys.find(transaction, keyId);
    if (key === null) throw new SuturaError('key.not_found');
    return key;
  }
}
