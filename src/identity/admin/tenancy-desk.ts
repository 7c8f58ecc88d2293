import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/ports/clock.js';
import { TenancyService } from '../../core/tenancy/tenancy.service.js';
import type { KeyRotation, NewKey, NewOrganization, OrganizationChangeInput } from './tenancy.schema.js';
import {
  toIssuedKeyView,
  toKeyView,
  toOrganizationView,
  toUsageView,
  type IssuedKeyView,
  type KeyView,
  type OrganizationView,
  type UsageView,
} from './tenancy.views.js';

/** TenancyService in the words of the admin API and the command line: checked input in, views out. Errors as TenancyService names them. */
@Injectable()
export class TenancyDesk {
  constructor(
    private readonly tenancy: TenancyService,
    private readonly clock: Clock,
  ) {}

  async createOrganization({ name, plan }: NewOrganization): Promise<OrganizationView> {
    return toOrganizationView(await this.tenancy.createOrganization(name, plan));
  }

  async listOrganizations(): Promise<OrganizationView[]> {
    return (await this.tenancy.listOrganizations()).map(toOrganizationView);
  }

  async changeOrganization(organizationId: string, { dailyLimit, name, plan, resultPolicy, autoAnalyze, unservedTypes, imageHosts }: OrganizationChangeInput): Promise<OrganizationView> {
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(plan === undefined ? {} : { plan }),
      ...(resultPolicy === undefined ? {} : { resultPolicy }),
      ...(autoAnalyze === undefined ? {} : { autoAnalyze }),
      ...(unservedTypes === undefined ? {} : { unservedTypes }),
      ...(imageHosts === undefined ? {} : { imageHosts }),
      ...(dailyLimit === undefined ? {} : { dailyLimitOverride: dailyLimit }),
    };
    return toOrganizationView(await this.tenancy.changeOrganization(organizationId, change));
  }

  async usage(organizationId: string): Promise<UsageView> {
    return toUsageView(organizationId, await this.tenancy.usage(organizationId));
  }

  async createKey(organizationId: string, { environment, scopes, expiresAt }: NewKey): Promise<IssuedKeyView> {
    const wish = { organizationId, environment, scopes, expiresAt: expiresAt === undefined ? null : new Date(expiresAt) };
    return toIssuedKeyView(await this.tenancy.createKey(wish), this.clock.now());
  }

  async listKeys(organizationId: string): Promise<KeyView[]> {
    const now = this.clock.now();
    return (await this.tenancy.listKeys(organizationId)).map((record) => toKeyView(record, now));
  }

  async rotateKey(keyId: string, { overlapS }: KeyRotation): Promise<IssuedKeyView> {
    return toIssuedKeyView(await this.tenancy.rotateKey(keyId, overlapS), this.clock.now());
  }

  revokeKey(keyId: string): Promise<void> {
    return this.tenancy.revokeKey(keyId);
  }
}
