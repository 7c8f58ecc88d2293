import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import { sendAnswer } from '../../../platform/http/http-answer.js';
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
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(webhookRequestSchema) body: WebhookRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.create(caller, body));
  }

  @Get()
  @ApiRoute(routes.LIST_WEBHOOKS)
  @RequiresScope('webhooks:manage')
  async list(@CurrentCaller() caller: Caller, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.webhooks.list(caller));
  }

  @Get(':webhookId')
  @ApiRoute(routes.READ_WEBHOOK)
  @RequiresScope('webhooks:manage')
  async read(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.read(caller, webhookId));
  }

  @Patch(':webhookId')
  @ApiRoute(routes.CHANGE_WEBHOOK)
  @RequiresScope('webhooks:manage')
  async change(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @JsonBody(webhookChangeSchema) body: WebhookChange,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.change(caller, webhookId, body));
  }

  @Delete(':webhookId')
  @ApiRoute(routes.DELETE_WEBHOOK)
  @RequiresScope('webhooks:manage')
  async delete(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.delete(caller, webhookId));
  }

  @Post(':webhookId/rotate')
  @NeverPacked()
  @HttpCode(200)
  @ApiRoute(routes.ROTATE_WEBHOOK)
  @RequiresScope('webhooks:manage')
  async rotate(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @JsonBody(rotationBody) body: WebhookRotation,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.rotate(caller, webhookId, body));
  }

  @Post(':webhookId/test')
  @HttpCode(200)
  @ApiRoute(routes.TEST_WEBHOOK)
  @RequiresScope('webhooks:manage')
  async test(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.test(caller, webhookId));
  }

  @Post(':webhookId/pause')
  @HttpCode(200)
  @ApiRoute(routes.PAUSE_WEBHOOK)
  @RequiresScope('webhooks:manage')
  async pause(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.pause(caller, webhookId));
  }

  @Post(':webhookId/resume')
  @HttpCode(200)
  @ApiRoute(routes.RESUME_WEBHOOK)
  @RequiresScope('webhooks:manage')
  async resume(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.resume(caller, webhookId));
  }

  @Get(':webhookId/deliveries')
  @ApiRoute(routes.LIST_DELIVERIES)
  @RequiresScope('webhooks:manage')
  async deliveries(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @QueryInput(deliveryQuerySchema) query: DeliveryQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.deliveries(caller, webhookId, query));
  }

  @Get(':webhookId/deliveries/:deliveryId')
  @ApiRoute(routes.READ_DELIVERY)
  @RequiresScope('webhooks:manage')
  async delivery(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.delivery(caller, webhookId, deliveryId));
  }

  @Post(':webhookId/deliveries/:deliveryId/replay')
  @HttpCode(202)
  @ApiRoute(routes.REPLAY_DELIVERY)
  @RequiresScope('webhooks:manage')
  async replay(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.replay(caller, webhookId, deliveryId));
  }

  @Post(':webhookId/deliveries/:deliveryId/park')
  @HttpCode(204)
  @ApiRoute(routes.PARK_DELIVERY)
  @RequiresScope('webhooks:manage')
  async park(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.park(caller, webhookId, deliveryId));
  }

  @Post(':webhookId/deliveries/:deliveryId/discard')
  @HttpCode(204)
  @ApiRoute(routes.DISCARD_DELIVERY)
  @RequiresScope('webhooks:manage')
  async discard(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.discard(caller, webhookId, deliveryId));
  }

  @Post(':webhookId/replay')
  @HttpCode(202)
  @ApiRoute(routes.REPLAY_WEBHOOK)
  @RequiresScope('webhooks:manage')
  async replayAll(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @JsonBody(replaySchema) body: WebhookReplay,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.webhooks.replayAll(caller, webhookId, body));
  }
}
