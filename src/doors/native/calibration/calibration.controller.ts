import { Controller, Delete, Get, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresKey, RequiresScope } from '../../../identity/index.js';
import { sendAnswer } from '../../../platform/http/http-answer.js';
import { JsonBody, QueryInput } from '../../../platform/http/zod.pipe.js';
import { Conditions, type ReadConditions } from '../route/read-conditions.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { DOWNLOAD_CARD, FORGET_CARD, MEASURE_CARD, READ_CARDS } from './calibration.routes.js';
import { cardMeasurementSchema, cardQuerySchema, type CardMeasurement, type CardQuery } from './calibration.schema.js';
import { CalibrationService } from './calibration.service.js';

@Controller('api/v1')
export class CalibrationController {
  constructor(private readonly calibration: CalibrationService) {}

  @Get('calibration-card.pdf')
  @ApiRoute(DOWNLOAD_CARD)
  @RequiresKey()
  async download(
    @QueryInput(cardQuerySchema) { size }: CardQuery,
    @Conditions() { ifNoneMatch }: ReadConditions,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.calibration.pdf(size, ifNoneMatch));
  }

  @Get('calibration-card')
  @ApiRoute(READ_CARDS)
  @RequiresScope('analysis:read')
  async read(@CurrentCaller() caller: Caller, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.calibration.read(caller));
  }

  @Put('calibration-card')
  @ApiRoute(MEASURE_CARD)
  @RequiresScope('analysis:write')
  async measure(
    @CurrentCaller() caller: Caller,
    @JsonBody(cardMeasurementSchema) body: CardMeasurement,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.calibration.measure(caller, body));
  }

  @Delete('calibration-card')
  @ApiRoute(FORGET_CARD)
  @RequiresScope('analysis:write')
  async forget(
    @CurrentCaller() caller: Caller,
    @QueryInput(cardQuerySchema) { size }: CardQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.calibration.forget(caller, size));
  }
}
