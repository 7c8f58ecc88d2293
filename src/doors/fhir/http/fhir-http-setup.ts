import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { HttpAdapter } from '../../../platform/http/http.adapter.js';
import { isAtOrBelow } from '../../../platform/http/problem.js';
import { Logger } from '../../../platform/logging/logger.js';
import { renderOutcome } from './outcome-renderer.js';
import { ResourceXml } from '../../../standards/fhir/xml/resource-xml.js';
import { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';

const BASE = '/fhir';
/** Pause between two definitions, so that other work of the start has the processor first. */
const PAUSE_MS = 20;

/** Sets up the HTTP server for this door before its first request. */
@Injectable()
export class FhirHttpSetup {
  constructor(
    adapterHost: HttpAdapterHost<HttpAdapter>,
    private readonly validator: ResourceValidator,
    private readonly logger: Logger,
    private readonly xml: ResourceXml,
  ) {
    // A gateway without its profiles would refuse good resources: it does not start.
    validator.prepareProfiles();
    const { httpAdapter } = adapterHost;
    httpAdapter.unreadBodies.claim(BASE);
    httpAdapter.refusals.claim(BASE, (error, occasion) => renderOutcome(error, occasion, xml));
    // In the constructor, because hooks must be registered before the routes.
    const instance = httpAdapter.getInstance<FastifyInstance>();
    instance.addHook('onRequest', (request, _reply, done) => {
      if (isAtOrBelow(request.raw.url ?? '', BASE)) validator.prepare();
      done();
    });
    instance.addHook('onListen', (done) => {
      void this.warmUp();
      done();
    });
  }

  /**
   * Reads the definitions once the server listens, one by one between requests: read before, they would take a tenth of the start.
   * A request below the base that comes sooner reads what is left of them.
   */
  private async warmUp(): Promise<void> {
    try {
      do await delay(PAUSE_MS, undefined, { ref: false });
      while (this.validator.prepareNext() || this.xml.prepareNext());
    } catch (error) {
      this.logger.error('fhir.definitions_unreadable', {}, error);
    }
  }
}
