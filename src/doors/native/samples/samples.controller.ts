import { Controller, Get, Param } from '@nestjs/common';
import { ModelCatalogue } from '../../../core/analysis/model-catalogue.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { SamplePhotos } from '../../../core/images/sample-photos.js';
import { RequiresScope } from '../../../identity/index.js';
import { conditional } from '../../../platform/http/entity-tag.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { Conditions, type ReadConditions } from '../route/read-conditions.js';
import { LIST_SAMPLES, READ_SAMPLE } from './samples.routes.js';
import { toSampleList } from './samples.schema.js';

const CONTENT_TYPE = 'image/jpeg';

/** Drawn photos for tests of integrations: nobody’s data, so that reading them is in no trail. */
@Controller('api/v1/samples')
export class SamplesController {
  constructor(
    private readonly samples: SamplePhotos,
    private readonly models: ModelCatalogue,
    private readonly address: PublicAddress,
  ) {}

  @Get()
  @ApiRoute(LIST_SAMPLES)
  @RequiresScope('analysis:read')
  list(): HttpAnswer {
    const active = this.models.activeModels().map(({ sha256 }) => sha256);
    return jsonAnswer(200, toSampleList(this.samples.collection(), active, this.address.url));
  }

  @Get(':name')
  @ApiRoute(READ_SAMPLE)
  @RequiresScope('analysis:read')
  async read(@Param('name') name: string, @Conditions() { ifNoneMatch }: ReadConditions): Promise<HttpAnswer> {
    const body = await this.samples.bytesOf(name);
    if (body === null) throw new SuturaError('sample.not_found');
    const headers = {
      'content-type': CONTENT_TYPE,
      'content-disposition': `attachment; filename="${name}.jpg"`,
    };
    return conditional({ status: 200, headers, body }, ifNoneMatch);
  }
}
