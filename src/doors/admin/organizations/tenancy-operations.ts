import { Injectable } from '@nestjs/common';
import { OperatorTrail, type OperatorAct } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { Clock } from '../../../core/ports/clock.js';
import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import {
  changeText,
  type CredentialChangeInput,
  type KeyRotation,
  type NewKey,
  type NewOrganization,
  type OrganizationChangeInput,
} from './tenancy.schema.js';
import {
  isAsRead,
  toIssuedKeyView,
  toKeyView,
  toOrganizationView,
  toUsageView,
  type IssuedKeyView,
  type KeyView,
  type OrganizationView,
  type UsageView,
} from './tenancy.views.js';

/**
 * TenancyService for the admin API and the command line: checked input in, views out. Each act goes into the audit trail under
 * the operator's name. Errors are those of TenancyService; `service.unavailable` where the act was done and cannot be recorded.
 */
@Injectable()
export class TenancyOperations {
  constructor(
    private readonly tenancy: TenancyService,
    private readonly clock: Clock,
    private readonly trail: OperatorTrail,
  ) {}

  async createOrganization(operator: Operator, { name, plan }: NewOrganization): Promise<OrganizationView> {
    const view = toOrganizationView(await this.tenancy.createOrganization(name, plan));
    await this.trail.record(operator, {
      interaction: 'create',
      action: 'C',
      ...inOrganization(view.organizationId),
      query: `plan=${plan}`,
    });
    return view;
  }

  async listOrganizations(operator: Operator): Promise<OrganizationView[]> {
    await this.trail.record(operator, {
      interaction: 'search-type',
      action: 'R',
      resources: [],
      query: 'Organization',
    });
    return (await this.tenancy.listOrganizations()).map(toOrganizationView);
  }

  async changeOrganization(
    operator: Operator,
    organizationId: string,
    {
      dailyLimit,
      name,
      plan,
      resultPolicy,
      autoAnalyze,
      unservedTypes,
      imageHosts,
      reviewFrameOrigins,
      timeZone,
    }: OrganizationChangeInput,
    ifMatch?: string,
  ): Promise<OrganizationView> {
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(plan === undefined ? {} : { plan }),
      ...(resultPolicy === undefined ? {} : { resultPolicy }),
      ...(autoAnalyze === undefined ? {} : { autoAnalyze }),
      ...(unservedTypes === undefined ? {} : { unservedTypes }),
      ...(imageHosts === undefined ? {} : { imageHosts }),
      ...(reviewFrameOrigins === undefined ? {} : { reviewFrameOrigins }),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(dailyLimit === undefined ? {} : { dailyLimitOverride: dailyLimit }),
    };
    const changed = await this.tenancy.changeOrganization(organizationId, change, (present) =>
      isAsRead(present, ifMatch),
    );
    const view = toOrganizationView(changed);
    const fields = Object.entries(change).map(([field, value]): [string, string] => [field, String(value)]);
    await this.trail.record(operator, {
      interaction: 'update',
      action: 'U',
      ...inOrganization(organizationId),
      query: new URLSearchParams(fields).toString(),
    });
    return view;
  }

  async usage(operator: Operator, organizationId: string): Promise<UsageView> {
    const view = toUsageView(organizationId, await this.tenancy.usage(organizationId));
    await this.trail.record(operator, { interaction: '$usage', action: 'R', ...inOrganization(organizationId) });
    return view;
  }

  async createKey(
    operator: Operator,
    organizationId: string,
    { environment, scopes, expiresAt, allowedNetworks = [], namesPersons = false }: NewKey,
  ): Promise<IssuedKeyView> {
    const request = {
      organizationId,
      environment,
      scopes,
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
      allowedNetworks,
      namesPersons,
    };
    const view = toIssuedKeyView(await this.tenancy.createKey(request, operator.rights), this.clock.now());
    const stated = {
      ...(allowedNetworks.length === 0 ? {} : { allowedNetworks }),
      ...(namesPersons ? { namesPersons } : {}),
    };
    await this.trail.record(operator, {
      interaction: '$create-key',
      action: 'C',
      ...ofKey(view),
      query: [`scopes=${scopes.join(',')}`, changeText(stated)].filter((part) => part !== '').join('&'),
    });
    return view;
  }

  async listKeys(operator: Operator, organizationId: string): Promise<KeyView[]> {
    const now = this.clock.now();
    const views = (await this.tenancy.listKeys(organizationId)).map((record) => toKeyView(record, now));
    await this.trail.record(operator, { interaction: '$list-keys', action: 'R', ...inOrganization(organizationId) });
    return views;
  }

  async rotateKey(operator: Operator, keyId: string, { overlapS }: KeyRotation): Promise<IssuedKeyView> {
    const view = toIssuedKeyView(await this.tenancy.rotateKey(keyId, overlapS, operator.rights), this.clock.now());
    await this.trail.record(operator, {
      interaction: '$rotate-key',
      action: 'U',
      ...ofKey(view),
      query: `replaces=${keyId}&overlapS=${overlapS}`,
    });
    return view;
  }

  async changeKey(operator: Operator, keyId: string, change: CredentialChangeInput): Promise<KeyView> {
    const view = toKeyView(await this.tenancy.changeKey(keyId, change, operator.rights), this.clock.now());
    await this.trail.record(operator, {
      interaction: '$restrict-key',
      action: 'U',
      ...ofKey(view),
      query: changeText(change),
    });
    return view;
  }

  /** A revoked key stays revoked even if that cannot be recorded. */
  async revokeKey(operator: Operator, keyId: string): Promise<void> {
    const { id, organizationId, environment } = await this.tenancy.revokeKey(keyId);
    await this.trail.record(operator, {
      interaction: '$revoke-key',
      action: 'D',
      ...ofKey({ keyId: id, organizationId, environment }),
    });
  }
}

function inOrganization(organizationId: string): Pick<OperatorAct, 'of' | 'resources'> {
  return { of: { organizationId }, resources: [`Organization/${organizationId}`] };
}

function ofKey({
  keyId,
  organizationId,
  environment,
}: Tenant & { readonly keyId: string }): Pick<OperatorAct, 'of' | 'resources'> {
  return { of: { organizationId, environment }, resources: [`Device/${keyId}`] };
}
