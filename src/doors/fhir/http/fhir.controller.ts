import { All, Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresKey } from '../../../identity/index.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { ApiExcludeController } from '../../../platform/http/openapi.decorators.js';
import { ResourceXml } from '../../../standards/fhir/xml/resource-xml.js';
import { OperationDirectory } from '../operations/operation-directory.js';
import { FhirRouter } from './fhir-router.js';
import { toExchange } from './fhir-exchange.js';
import { resourceOf, routeOf } from './fhir-route.js';

/**
 * Everything below the base but /metadata. One route, because the methods of an address are FHIR's to say: see fhir-router.ts.
 * The CapabilityStatement describes it, not the OpenAPI document.
 */
@ApiExcludeController()
@Controller(['fhir', 'fhir/R4'])
export class FhirController {
  constructor(
    private readonly door: FhirRouter,
    private readonly operations: OperationDirectory,
    private readonly address: PublicAddress,
    private readonly xml: ResourceXml,
  ) {}

  @All(['', '*'])
  @RequiresKey()
  async handle(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest): Promise<HttpAnswer> {
    const exchange = toExchange(request, caller, this.address.url, this.xml);
    if (request.note !== null)
      Object.assign(request.note, {
        route: routeOf(exchange.address, this.operations),
        resource: resourceOf(exchange.address),
      });
    try {
      return await this.door.answer(exchange);
    } finally {
      request.server.bodyBudget?.settle(request);
    }
  }
}
