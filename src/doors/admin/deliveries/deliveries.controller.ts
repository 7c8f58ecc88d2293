import { DELIVERY_EXAMPLES } from './deliveries.examples.js';
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { Operator } from '../../../core/tenancy/operator.js';
import type { EndpointTrial, ExitEndpoint } from '../../../core/deliveries/delivery-exit.js';
import { JsonBody, QueryInput } from '../../../platform/http/zod.pipe.js';
import { IN_QUERY, ownerInPath } from '../../../identity/guards/admin-access.js';
import { AdminRoute, NeedsRole } from '../../../identity/guards/admin-route.decorator.js';
import { CurrentOperator } from '../../../identity/guards/operator-of-request.js';
import { DescribesAdmin } from '../../../identity/index.js';
import {
  DELIVERY_QUERY,
  DELIVERY_RANGE,
  ENDPOINT_QUERY,
  type DeliveryQuery,
  type DeliveryRange,
  type EndpointQuery,
} from './deliveries.schema.js';
import type { DeliveryDetailView, DeliveryView } from './deliveries.views.js';
import { DeliveryOperations } from './delivery-operations.js';

const OF_DELIVERY = { deliveryId: DELIVERY_EXAMPLES.delivery.id } as const;
const OF_ENDPOINT = { endpointId: DELIVERY_EXAMPLES.delivery.endpointId } as const;

/** Deliveries of all exits, for the operator. */
@AdminRoute()
@Controller('admin/v1/deliveries')
export class DeliveriesController {
  constructor(private readonly operations: DeliveryOperations) {}

  @Get()
  @NeedsRole('viewer', IN_QUERY)
  @DescribesAdmin({
    operationId: 'listDeliveries',
    summary:
      'What was delivered, waits or is parked, newest first: to webhooks, FHIR Subscriptions and HL7 v2 destinations',
    query: {
      endpointId: 'To this endpoint only',
      organizationId: 'Of this organization only',
      environment: 'test or live',
      state: 'waiting, delivered, parked, discarded, collapsed, moved',
      limit: '1 to 1000, default 100',
    },
    status: 200,
    answer: { items: [DELIVERY_EXAMPLES.delivery] },
    refusals: ['delivery.endpoint_not_found'],
    inPath: {},
  })
  async list(@QueryInput(DELIVERY_QUERY) query: DeliveryQuery): Promise<{ readonly items: readonly DeliveryView[] }> {
    return { items: await this.operations.list(query) };
  }

  @Post('replay')
  @HttpCode(200)
  @NeedsRole('integrator', { in: 'body', fields: { endpoint: 'endpointId' } })
  @DescribesAdmin({
    operationId: 'replayDeliveries',
    summary: 'All that were made for an endpoint in a time once more, in their order',
    body: DELIVERY_RANGE,
    example: { endpointId: DELIVERY_EXAMPLES.delivery.endpointId, since: '2026-03-15T08:00:00Z' },
    inPath: {},
    status: 200,
    answer: { replayed: 12 },
    refusals: ['delivery.endpoint_not_found'],
  })
  async replayRange(
    @CurrentOperator() operator: Operator,
    @JsonBody(DELIVERY_RANGE) range: DeliveryRange,
  ): Promise<{ readonly replayed: number }> {
    return { replayed: await this.operations.replayRange(operator, range) };
  }

  @Get('endpoints')
  @NeedsRole('viewer', IN_QUERY)
  @DescribesAdmin({
    operationId: 'listEndpoints',
    summary: 'Where deliveries go: webhooks, FHIR Subscriptions and HL7 v2 destinations, with what is wrong with each',
    query: {
      organizationId: 'Of this organization only',
      environment: 'test or live',
      exit: 'webhook, subscription or hl7',
    },
    inPath: {},
    status: 200,
    answer: { items: [DELIVERY_EXAMPLES.endpoint] },
  })
  async endpoints(
    @QueryInput(ENDPOINT_QUERY) query: EndpointQuery,
  ): Promise<{ readonly items: readonly ExitEndpoint[] }> {
    return { items: await this.operations.endpoints(query) };
  }

  @Post('endpoints/:endpointId/pause')
  @HttpCode(200)
  @NeedsRole('integrator', ownerInPath('endpoint'))
  @DescribesAdmin({
    operationId: 'pauseEndpoint',
    summary: 'Send an endpoint nothing until it is resumed; what is made meanwhile waits',
    inPath: OF_ENDPOINT,
    status: 200,
    answer: { ...DELIVERY_EXAMPLES.endpoint, state: 'paused' },
    refusals: ['delivery.endpoint_not_found'],
  })
  pause(@CurrentOperator() operator: Operator, @Param('endpointId') endpointId: string): Promise<ExitEndpoint> {
    return this.operations.switch(operator, 'pause', endpointId);
  }

  @Post('endpoints/:endpointId/resume')
  @HttpCode(200)
  @NeedsRole('integrator', ownerInPath('endpoint'))
  @DescribesAdmin({
    operationId: 'resumeEndpoint',
    summary: 'Send again, to an endpoint that was paused or disabled',
    inPath: OF_ENDPOINT,
    status: 200,
    answer: DELIVERY_EXAMPLES.endpoint,
    refusals: ['delivery.endpoint_not_found'],
  })
  resume(@CurrentOperator() operator: Operator, @Param('endpointId') endpointId: string): Promise<ExitEndpoint> {
    return this.operations.switch(operator, 'resume', endpointId);
  }

  @Post('endpoints/:endpointId/test')
  @HttpCode(200)
  @NeedsRole('integrator', ownerInPath('endpoint'))
  @DescribesAdmin({
    operationId: 'testEndpoint',
    summary:
      'Send a signed test event to a webhook or a handshake to a Subscription, or connect to an HL7 v2 destination and hang up',
    inPath: OF_ENDPOINT,
    status: 200,
    answer: { reached: true, said: '204' },
    refusals: ['delivery.endpoint_not_found'],
  })
  test(@CurrentOperator() operator: Operator, @Param('endpointId') endpointId: string): Promise<EndpointTrial> {
    return this.operations.test(operator, endpointId);
  }

  @Get(':deliveryId')
  @NeedsRole('integrator', ownerInPath('delivery'))
  @DescribesAdmin({
    operationId: 'readDelivery',
    summary: 'One delivery with its body and its attempts; written into the audit trail',
    inPath: OF_DELIVERY,
    status: 200,
    answer: {
      ...DELIVERY_EXAMPLES.delivery,
      body: '{"type":"report.ready","timestamp":"2026-03-15T08:40:05.000Z","data":{"version":1,"sequence":12}}',
      log: [{ at: '2026-03-15T08:40:06.000Z', delivered: false, answer: '500', fault: null }],
    },
    refusals: ['delivery.not_found', 'hl7.sealed'],
  })
  show(@CurrentOperator() operator: Operator, @Param('deliveryId') deliveryId: string): Promise<DeliveryDetailView> {
    return this.operations.show(operator, deliveryId);
  }

  @Post(':deliveryId/replay')
  @HttpCode(204)
  @NeedsRole('integrator', ownerInPath('delivery'))
  @DescribesAdmin({
    operationId: 'replayDelivery',
    summary: 'Send one once more that was delivered or is parked',
    inPath: OF_DELIVERY,
    status: 204,
    answer: null,
    refusals: ['delivery.not_found', 'webhook.delivery_state', 'hl7.in_progress', 'hl7.superseded', 'hl7.not_parked'],
  })
  replay(@CurrentOperator() operator: Operator, @Param('deliveryId') deliveryId: string): Promise<void> {
    return this.operations.act(operator, 'replay', deliveryId);
  }

  @Post(':deliveryId/park')
  @HttpCode(204)
  @NeedsRole('integrator', ownerInPath('delivery'))
  @DescribesAdmin({
    operationId: 'parkDelivery',
    summary: 'Let one that waits step aside, so that what waits behind it goes on',
    inPath: OF_DELIVERY,
    status: 204,
    answer: null,
    refusals: ['delivery.not_found', 'webhook.delivery_state', 'hl7.not_waiting'],
  })
  park(@CurrentOperator() operator: Operator, @Param('deliveryId') deliveryId: string): Promise<void> {
    return this.operations.act(operator, 'park', deliveryId);
  }

  @Post(':deliveryId/discard')
  @HttpCode(204)
  @NeedsRole('integrator', ownerInPath('delivery'))
  @DescribesAdmin({
    operationId: 'discardDelivery',
    summary: 'Give one up for good that is parked',
    inPath: OF_DELIVERY,
    status: 204,
    answer: null,
    refusals: ['delivery.not_found', 'webhook.delivery_state', 'hl7.not_parked'],
  })
  discard(@CurrentOperator() operator: Operator, @Param('deliveryId') deliveryId: string): Promise<void> {
    return this.operations.act(operator, 'discard', deliveryId);
  }
}
