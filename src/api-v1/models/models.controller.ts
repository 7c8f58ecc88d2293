import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ModelCatalogue, type InstalledModel } from '../../core/analysis/model-catalogue.js';
import { RequiresScope } from '../../identity/index.js';
import { jsonAnswer, sendAnswer } from '../../platform/http/http-answer.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { LIST_MODELS } from './models.routes.js';
import type { ModelListView } from './models.schema.js';

@Controller('api/v1/models')
export class ModelsController {
  constructor(private readonly models: ModelCatalogue) {}

  @Get()
  @ApiRoute(LIST_MODELS)
  @RequiresScope('analysis:read')
  list(@Res() reply: FastifyReply): void {
    sendAnswer(reply, jsonAnswer(200, toModelList(this.models.installedModels())));
  }
}

function toModelList(models: readonly InstalledModel[]): ModelListView {
  const items = models.map(({ name, version, task, variant, sha256, active, researchOnly, licence, metrics, card }) => ({
    ...{ name, version, task, variant, sha256, active, researchOnly, licence },
    ...{ metrics: metrics === null ? null : { ...metrics }, card },
  }));
  return { items };
}
