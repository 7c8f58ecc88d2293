import { Injectable } from '@nestjs/common';
import { OperatorTrail, type Operator, type OperatorAct } from '../../core/audit/operator-trail.js';
import { Clock } from '../../core/ports/clock.js';
import { TenancyService } from '../../core/tenancy/tenancy.service.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
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

/** Desks for operators: what each does is written into the audit trail under their name. */
@Injectable()
export class TenancyDesks {
  constructor(
    private readonly tenancy: TenancyService,
    private readonly clock: Clock,
    private readonly trail: OperatorTrail,
  ) {}

  of(operator: Operator): TenancyDesk {
    return new TenancyDesk(this.tenancy, this.clock, (act) => this.trail.record(operator, act));
  }
}

/**
 * TenancyService in the words of the admin API and the command line: checked input in, views out. Errors as TenancyService names them;
 * what was done and cannot be written down is answered with `service.unavailable`.
 */
export class TenancyDesk {
  constructor(
    private readonly tenancy: TenancyService,
    private readonly clock: Clock,
    private readonly writeDown: (act: OperatorAct) => Promise<void>,
  ) {}

  async createOrganization({ name, plan }: NewOrganization): Promise<OrganizationView> {
    const view = toOrganizationView(await this.tenancy.createOrganization(name, plan));
    await this.writeDown({
      interaction: 'create',
      action: 'C',
      ...inOrganization(view.organizationId),
      query: `plan=${plan}`,
    });
    return view;
  }

  async listOrganizations(): Promise<OrganizationView[]> {
    await this.writeDown({ interaction: 'search-type', action: 'R', resources: [], query: 'Organization' });
    return (await this.tenancy.listOrganizations()).map(toOrganizationView);
  }

  async changeOrganization(
    organizationId: string,
    { dailyLimit, name, plan, resultPolicy, autoAnalyze, unservedTypes, imageHosts }: OrganizationChangeInput,
  ): Promise<OrganizationView> {
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(plan === undefined ? {} : { plan }),
      ...(resultPolicy === undefined ? {} : { resultPolicy }),
      ...(autoAnalyze === undefined ? {} : { autoAnalyze }),
      ...(unservedTypes === undefined ? {} : { unservedTypes }),
      ...(imageHosts === undefined ? {} : { imageHosts }),
      ...(dailyLimit === undefined ? {} : { dailyLimitOverride: dailyLimit }),
    };
    const view = toOrganizationView(await this.tenancy.changeOrganization(organizationId, change));
    const said = Object.entries(change).map(([field, value]): [string, string] => [field, String(value)]);
    await this.writeDown({
      interaction: 'update',
      action: 'U',
      ...inOrganization(organizationId),
      query: new URLSearchParams(said).toString(),
    });
    return view;
  }

  async usage(organizationId: string): Promise<UsageView> {
    const view = toUsageView(organizationId, await this.tenancy.usage(organizationId));
    await this.writeDown({ interaction: '$usage', action: 'R', ...inOrganization(organizationId) });
    return view;
  }

  async createKey(organizationId: string, { environment, scopes, expiresAt }: NewKey): Promise<IssuedKeyView> {
    const wish = {
      organizationId,
      environment,
      scopes,
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
    };
    const view = toIssuedKeyView(await this.tenancy.createKey(wish), this.clock.now());
    await this.writeDown({
      interaction: '$create-key',
      action: 'C',
      ...ofKey(view),
      query: `scopes=${scopes.join(',')}`,
    });
    return view;
  }

  async listKeys(organizationId: string): Promise<KeyView[]> {
    const now = this.clock.now();
    const views = (await this.tenancy.listKeys(organizationId)).map((record) => toKeyView(record, now));
    await this.writeDown({ interaction: '$list-keys', action: 'R', ...inOrganization(organizationId) });
    return views;
  }

  async rotateKey(keyId: string, { overlapS }: KeyRotation): Promise<IssuedKeyView> {
    const view = toIssuedKeyView(await this.tenancy.rotateKey(keyId, overlapS), this.clock.now());
    await this.writeDown({
      interaction: '$rotate-key',
      action: 'U',
      ...ofKey(view),
      query: `replaces=${keyId}&overlapS=${overlapS}`,
    });
    return view;
  }

  /** A key that was revoked stays so, whether or not that can be written down. */
  async revokeKey(keyId: string): Promise<void> {
    const { id, organizationId, environment } = await this.tenancy.revokeKey(keyId);
    await this.writeDown({
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
