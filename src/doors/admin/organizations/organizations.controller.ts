import { ORGANIZATION_EXAMPLES } from './organizations.examples.js';
import { Controller, Get, Headers, HttpCode, Param, Patch, Post } from '@nestjs/common';
import type { Operator } from '../../../core/tenancy/operator.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { IN_PATH } from '../../../identity/guards/admin-access.js';
import { AdminRoute, NeedsRole } from '../../../identity/guards/admin-route.decorator.js';
import { CurrentOperator } from '../../../identity/guards/operator-of-request.js';
import { DescribesAdmin } from '../../../identity/index.js';
import { TenancyOperations } from './tenancy-operations.js';
import {
  NEW_KEY,
  NEW_ORGANIZATION,
  ORGANIZATION_CHANGE,
  type NewKey,
  type NewOrganization,
  type OrganizationChangeInput,
} from './tenancy.schema.js';
import type { IssuedKeyView, KeyView, OrganizationView, UsageView } from './tenancy.views.js';

interface Listing<T> {
  readonly items: readonly T[];
}

/** Organizations with their keys and usage, for the operator. */
@AdminRoute()
@Controller('admin/v1/organizations')
export class OrganizationsController {
  constructor(private readonly operations: TenancyOperations) {}

  @Post()
  @HttpCode(201)
  @DescribesAdmin({
    operationId: 'createOrganization',
    summary: 'Create an organization',
    body: NEW_ORGANIZATION,
    example: { name: 'Clinic North', plan: 'pro' },
    status: 201,
    answer: ORGANIZATION_EXAMPLES.organization,
  })
  create(
    @CurrentOperator() operator: Operator,
    @JsonBody(NEW_ORGANIZATION) input: NewOrganization,
  ): Promise<OrganizationView> {
    return this.operations.createOrganization(operator, input);
  }

  @Get()
  @DescribesAdmin({
    operationId: 'listOrganizations',
    summary: 'List all organizations',
    status: 200,
    answer: { items: [ORGANIZATION_EXAMPLES.organization] },
  })
  async list(@CurrentOperator() operator: Operator): Promise<Listing<OrganizationView>> {
    return { items: await this.operations.listOrganizations(operator) };
  }

  @Patch(':organizationId')
  @DescribesAdmin({
    operationId: 'changeOrganization',
    summary:
      'Change name, plan, daily limit, result policy, the analysis of photos without an order, or the hosts that photos are fetched from; with the etag of the organization as If-Match only if nobody changed it since',
    body: ORGANIZATION_CHANGE,
    example: { dailyLimit: 5000 },
    status: 200,
    answer: ORGANIZATION_EXAMPLES.organization,
    refusals: ['organization.not_found', 'organization.changed'],
  })
  change(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
    @JsonBody(ORGANIZATION_CHANGE) change: OrganizationChangeInput,
    @Headers('if-match') ifMatch?: string,
  ): Promise<OrganizationView> {
    return this.operations.changeOrganization(operator, organizationId, change, ifMatch);
  }

  @Get(':organizationId/usage')
  @NeedsRole('viewer', IN_PATH)
  @DescribesAdmin({
    operationId: 'readOrganizationUsage',
    summary: 'Analyses used today, both environments together',
    status: 200,
    answer: ORGANIZATION_EXAMPLES.usage,
    refusals: ['organization.not_found'],
  })
  usage(@CurrentOperator() operator: Operator, @Param('organizationId') organizationId: string): Promise<UsageView> {
    return this.operations.usage(operator, organizationId);
  }

  @Post(':organizationId/keys')
  @NeverPacked()
  @HttpCode(201)
  @NeedsRole('integrator', IN_PATH)
  @DescribesAdmin({
    operationId: 'createKey',
    summary: 'Create an API key; its text is shown this once',
    body: NEW_KEY,
    example: { environment: 'test', scopes: ['images:write', 'analysis:write', 'analysis:read'] },
    status: 201,
    answer: ORGANIZATION_EXAMPLES.issuedKey,
    refusals: ['organization.not_found', 'key.limit', 'key.live_not_allowed'],
  })
  createKey(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
    @JsonBody(NEW_KEY) input: NewKey,
  ): Promise<IssuedKeyView> {
    return this.operations.createKey(operator, organizationId, input);
  }

  @Get(':organizationId/keys')
  @NeedsRole('viewer', IN_PATH)
  @DescribesAdmin({
    operationId: 'listKeys',
    summary: 'List the organization’s keys, ended ones included',
    status: 200,
    answer: { items: [ORGANIZATION_EXAMPLES.key] },
    refusals: ['organization.not_found'],
  })
  async listKeys(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
  ): Promise<Listing<KeyView>> {
    return { items: await this.operations.listKeys(operator, organizationId) };
  }
}
