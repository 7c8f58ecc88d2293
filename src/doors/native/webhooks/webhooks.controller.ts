import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { JsonBody, QueryInput } from '../../../platform/http/zod.pipe.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { WebhookRequestsService } from './webhook-requests.service.js';
import * as routes from './webhooks.routes.js';
import {
  deliveryQuerySchema,
  replaySchema,
  rotationBody,
  webhookChangeSchema,
  webhookRequestSchema,
  type DeliveryQuery,
  type WebhookChange,
  type WebhookReplay,
  type WebhookRequest,
  type WebhookRotation,
} from './webhooks.schema.js';

@Controller('api/v1/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhookRequestsService) {}

  @Post()
  @NeverPacked()
  @ApiRoute(routes.CREATE_WEBHOOK)
  @RequiresScope('webhooks:manage')
  create(@CurrentCaller() caller: Caller, @JsonBody(webhookRequestSchema) body: WebhookRequest): Promise<HttpAnswer> {
    return this.webhooks.create(caller, body);
  }

  @Get()
  @ApiRoute(routes.LIST_WEBHOOKS)
  @RequiresScope('webhooks:manage')
  list(@CurrentCaller() caller: Caller): Promise<HttpAnswer> {
    return this.webhooks.list(caller);
  }

  @Get(':webhookId')
  @ApiRoute(routes.READ_WEBHOOK)
  @RequiresScope('webhooks:manage')
  read(@CurrentCaller() caller: Caller, @Param('webhookId') webhookId: string): Promise<HttpAnswer> {
    return this.webhooks.read(caller, webhookId);
  }

  @Patch(':webhookId')
  @ApiRoute(routes.CHANGE_WEBHOOK)
  @RequiresScope('webhooks:manage')
  change(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @JsonBody(webhookChangeSchema) body: WebhookChange,
  ): Promise<HttpAnswer> {
    return this.webhooks.change(caller, webhookId, body);
  }

  @Delete(':webhookId')
  @ApiRoute(routes.DELETE_WEBHOOK)
  @RequiresScope('webhooks:manage')
  delete(@CurrentCaller() caller: Caller, @Param('webhookId') webhookId: string): Promise<HttpAnswer> {
    return this.webhooks.delete(caller, webhookId);
  }

  @Post(':webhookId/rotate')
  @NeverPacked()
  @ApiRoute(routes.ROTATE_WEBHOOK)
  @RequiresScope('webhooks:manage')
  rotate(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @JsonBody(rotationBody) body: WebhookRotation,
  ): Promise<HttpAnswer> {
    return this.webhooks.rotate(caller, webhookId, body);
  }

  @Post(':webhookId/test')
  @ApiRoute(routes.TEST_WEBHOOK)
  @RequiresScope('webhooks:manage')
  test(@CurrentCaller() caller: Caller, @Param('webhookId') webhookId: string): Promise<HttpAnswer> {
    return this.webhooks.test(caller, webhookId);
  }

  @Post(':webhookId/pause')
  @ApiRoute(routes.PAUSE_WEBHOOK)
  @RequiresScope('webhooks:manage')
  pause(@CurrentCaller() caller: Caller, @Param('webhookId') webhookId: string): Promise<HttpAnswer> {
    return this.webhooks.pause(caller, webhookId);
  }

  @Post(':webhookId/resume')
  @ApiRoute(routes.RESUME_WEBHOOK)
  @RequiresScope('webhooks:manage')
  resume(@CurrentCaller() caller: Caller, @Param('webhookId') webhookId: string): Promise<HttpAnswer> {
    return this.webhooks.resume(caller, webhookId);
  }

  @Get(':webhookId/deliveries')
  @ApiRoute(routes.LIST_DELIVERIES)
  @RequiresScope('webhooks:manage')
  deliveries(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @QueryInput(deliveryQuerySchema) query: DeliveryQuery,
  ): Promise<HttpAnswer> {
    return this.webhooks.deliveries(caller, webhookId, query);
  }

  @Get(':webhookId/deliveries/:deliveryId')
  @ApiRoute(routes.READ_DELIVERY)
  @RequiresScope('webhooks:manage')
  delivery(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<HttpAnswer> {
    return this.webhooks.delivery(caller, webhookId, deliveryId);
  }

  @Post(':webhookId/deliveries/:deliveryId/replay')
  @ApiRoute(routes.REPLAY_DELIVERY)
  @RequiresScope('webhooks:manage')
  replay(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<HttpAnswer> {
    return this.webhooks.act('replay', caller, webhookId, deliveryId);
  }

  @Post(':webhookId/deliveries/:deliveryId/park')
  @ApiRoute(routes.PARK_DELIVERY)
  @RequiresScope('webhooks:manage')
  park(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<HttpAnswer> {
    return this.webhooks.act('park', caller, webhookId, deliveryId);
  }

  @Post(':webhookId/deliveries/:deliveryId/discard')
  @ApiRoute(routes.DISCARD_DELIVERY)
  @RequiresScope('webhooks:manage')
  discard(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<HttpAnswer> {
    return this.webhooks.act('discard', caller, webhookId, deliveryId);
  }

  @Post(':webhookId/replay')
  @ApiRoute(routes.REPLAY_WEBHOOK)
  @RequiresScope('webhooks:manage')
  replayAll(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @JsonBody(replaySchema) body: WebhookReplay,
  ): Promise<HttpAnswer> {
    return this.webhooks.replayAll(caller, webhookId, body);
  }
}
