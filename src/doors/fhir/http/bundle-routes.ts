import { Injectable } from '@nestjs/common';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { readIdempotencyKey } from '../../../platform/http/idempotency-key.js';
import { namedTypeOf } from '../../../platform/http/unread-bodies.js';
import { BundleProcessor } from '../bundle/bundle-processor.js';
import { PresentPlaces } from '../intake/present-places.js';
import { PresentedForms } from '../intake/presented-forms.js';
import { renderAnswer } from './answer-rendering.js';
import { readJson } from './body-reading.js';
import type { FhirExchange } from './fhir-exchange.js';
import { requireBodyType } from './negotiation.js';

/** POST to the base. */
@Injectable()
export class BundleRoutes {
  constructor(
    private readonly processor: BundleProcessor,
    private readonly forms: PresentedForms,
    private readonly places: PresentPlaces,
  ) {}

  async process({ caller, base, requestId, query, preferences, request }: FhirExchange): Promise<HttpAnswer> {
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
    requireBodyType(namedTypeOf(request), 'resource');
    const answer = await this.processor.process(caller, {
      base,
      requestId,
      body: await readJson(request),
      preferences,
      idempotencyKey,
    });
    return renderAnswer(await this.forms.state(caller, await this.places.state(caller, answer)), {
      base,
      query,
      answerWith: null,
      locatedBy: 'content-location',
    });
  }
}
