import { Injectable } from '@nestjs/common';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { readIdempotencyKey } from '../../../platform/http/idempotency-key.js';
import { namedTypeOf } from '../../../platform/http/unread-bodies.js';
import { BundleProcessor } from '../bundle/bundle-processor.js';
import { PresentedAnswer } from '../intake/presented-answer.js';
import { renderAnswer } from './answer-rendering.js';
import { readSent } from './body-reading.js';
import type { FhirExchange } from './fhir-exchange.js';
import { requireBodyType } from './negotiation.js';

/** POST to the base. */
@Injectable()
export class BundleRoutes {
  constructor(
    private readonly processor: BundleProcessor,
    private readonly presented: PresentedAnswer,
  ) {}

  async process(exchange: FhirExchange): Promise<HttpAnswer> {
    const { caller, base, requestId, form, preferences, language, request } = exchange;
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
    requireBodyType(namedTypeOf(request), 'resource');
    const answer = await this.processor.process(caller, {
      base,
      requestId,
      body: await readSent(exchange),
      preferences,
      idempotencyKey,
    });
    return renderAnswer(await this.presented.state(caller, answer, language), {
      base,
      form,
      answerWith: null,
      locatedBy: 'content-location',
    });
  }
}
