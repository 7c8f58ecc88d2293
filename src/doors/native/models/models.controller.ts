import { Controller, Get } from '@nestjs/common';
import { ModelCatalogue, type InstalledModel } from '../../../core/analysis/model-catalogue.js';
import { RequiresScope } from '../../../identity/index.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { modelCardPath } from '../route/paths.js';
import { LIST_MODELS } from './models.routes.js';
import type { ModelListView } from './models.schema.js';

@Controller('api/v1/models')
export class ModelsController {
  constructor(
    private readonly models: ModelCatalogue,
    private readonly address: PublicAddress,
  ) {}

  @Get()
  @ApiRoute(LIST_MODELS)
  @RequiresScope('analysis:read')
  list(): HttpAnswer {
    return jsonAnswer(200, toModelList(this.models.installedModels(), this.address.url));
  }
}

function toModelList(models: readonly InstalledModel[], publicUrl: string): ModelListView {
  const items = models.map((model) => {
    const { name, version, task, variant, sha256, active, researchOnly, licence, metrics, card } = model;
    return {
      name, version, task, variant, sha256, active, researchOnly, licence,
      metrics: metrics === null ? null : { ...metrics }, card,
      links: { fhirModelCard: `${publicUrl}${modelCardPath(model)}` },
    };
  });
  return { items, nextCursor: null };
}
