import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { Operator } from '../../../core/tenancy/operator.js';
import {
  AdminRoute,
  CurrentOperator,
  IN_BODY,
  IN_QUERY,
  NeedsRole,
  ownerInPath,
  DescribesAdmin,
} from '../../../identity/index.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { JsonBody, QueryInput } from '../../../platform/http/zod.pipe.js';
import {
  NEW_WEBHOOK,
  OF_ORGANIZATION,
  WebhookOperations,
  type NewWebhook,
  type OwnedWebhookView,
} from './webhook-operations.js';
import { SECRET_EXAMPLE, WEBHOOK_EXAMPLE } from '../../native/webhooks/webhooks.routes.js';

const OWNER = { organizationId: '01997f2e-1111-7000-8000-000000000001', environment: 'live' } as const;

/** Webhooks of organizations, for the operator. */
@AdminRoute()
@Controller('admin/v1/webhooks')
export class AdminWebhooksController {
  constructor(private readonly operations: WebhookOperations) {}

  @Post()
  @NeverPacked()
  @HttpCode(201)
  @NeedsRole('integrator', IN_BODY)
  @DescribesAdmin({
    operationId: 'createOrganizationWebhook',
    summary: 'Have an address of an organization told of events; the secret is shown this once',
    body: NEW_WEBHOOK,
    example: { ...OWNER, url: 'https://ward.example.org/sutura' },
    inPath: {},
    status: 201,
    answer: { ...OWNER, ...SECRET_EXAMPLE },
    refusals: ['organization.not_found', 'webhook.url_refused', 'webhook.too_many'],
  })
  create(@CurrentOperator() operator: Operator, @JsonBody(NEW_WEBHOOK) input: NewWebhook): Promise<OwnedWebhookView> {
    return this.operations.create(operator, input);
  }

  @Get()
  @NeedsRole('viewer', IN_QUERY)
  @DescribesAdmin({
    operationId: 'listOrganizationWebhooks',
    summary: 'The webhooks of an organization, of both environments',
    query: { organizationId: 'The organization' },
    inPath: {},
    status: 200,
    answer: { items: [{ ...OWNER, ...WEBHOOK_EXAMPLE }] },
    refusals: ['organization.not_found'],
  })
  async list(
    @QueryInput(OF_ORGANIZATION) { organizationId }: { readonly organizationId: string },
  ): Promise<{ readonly items: readonly OwnedWebhookView[] }> {
    return { items: await this.operations.list(organizationId) };
  }

  @Delete(':webhookId')
  @HttpCode(204)
  @NeedsRole('integrator', ownerInPath('webhook'))
  @DescribesAdmin({
    operationId: 'deleteOrganizationWebhook',
    summary: 'Tell an address nothing more; what waits for it is never sent',
    inPath: { webhookId: WEBHOOK_EXAMPLE.id },
    status: 204,
    answer: null,
    refusals: ['webhook.not_found'],
  })
  delete(@CurrentOperator() operator: Operator, @Param('webhookId') webhookId: string): Promise<void> {
    return this.operations.delete(operator, webhookId);
  }
}
