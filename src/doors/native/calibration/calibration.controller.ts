import { Controller, Delete, Get, Put } from '@nestjs/common';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresKey, RequiresScope } from '../../../identity/index.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
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
  download(
    @QueryInput(cardQuerySchema) { size }: CardQuery,
    @Conditions() { ifNoneMatch }: ReadConditions,
  ): Promise<HttpAnswer> {
    return this.calibration.pdf(size, ifNoneMatch);
  }

  @Get('calibration-card')
  @ApiRoute(READ_CARDS)
  @RequiresScope('analysis:read')
  read(@CurrentCaller() caller: Caller): Promise<HttpAnswer> {
    return this.calibration.read(caller);
  }

  @Put('calibration-card')
  @ApiRoute(MEASURE_CARD)
  @RequiresScope('analysis:write')
  measure(
    @CurrentCaller() caller: Caller,
    @JsonBody(cardMeasurementSchema) body: CardMeasurement,
  ): Promise<HttpAnswer> {
    return this.calibration.measure(caller, body);
  }

  @Delete('calibration-card')
  @ApiRoute(FORGET_CARD)
  @RequiresScope('analysis:write')
  forget(@CurrentCaller() caller: Caller, @QueryInput(cardQuerySchema) { size }: CardQuery): Promise<HttpAnswer> {
    return this.calibration.forget(caller, size);
  }
}
