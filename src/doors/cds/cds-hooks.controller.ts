import { Body, Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { AuditTrail } from '../../core/audit/audit-trail.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { RequestOrigin } from '../../core/tenancy/api-key.js';
import { tenantOf } from '../../core/tenancy/tenant.js';
import { FailedLoginThrottle, PublicRoute } from '../../identity/index.js';
import type { HttpAdapter } from '../../platform/http/http.adapter.js';
import { ApiExcludeController } from '../../platform/http/openapi.decorators.js';
import { invalidInput, parseInput } from '../../platform/http/parse-input.js';
import { PublicAddress } from '../../platform/http/public-address.js';
import { CdsCallers, type CdsEhr } from './cds-callers.js';
import { callerOf, CdsCards, type CdsCard } from './cds-cards.service.js';
import { renderCdsRefusal } from './cds-refusals.js';
import { FEEDBACK } from './cds.schema.js';
import { CDS_PATH, CDS_SERVICES, discoveryOf, type CdsService } from './cds-services.js';

/** CDS Hooks 2.0: what an EHR may ask, its answers, and what became of them. Every call proves by a token of its own from which EHR it is. */
@ApiExcludeController()
@Controller('cds-services')
export class CdsHooksController {
  constructor(
    adapterHost: HttpAdapterHost<HttpAdapter>,
    private readonly callers: CdsCallers,
    private readonly cards: CdsCards,
    private readonly trail: AuditTrail,
    private readonly failures: FailedLoginThrottle,
    private readonly address: PublicAddress,
  ) {
    adapterHost.httpAdapter.refusals.claim(CDS_PATH, renderCdsRefusal);
  }

  /** `cds.token`, `rate.limited`. */
  @Get()
  @PublicRoute()
  async discover(@Req() request: FastifyRequest): Promise<{ readonly services: readonly object[] }> {
    await this.ehrOf(request, '');
    return { services: CDS_SERVICES.map(discoveryOf) };
  }

  /** `cds.token`, `cds.service_not_found`, `request.invalid`, `cds.server`, `cds.patient`, `rate.limited`. */
  @Post(':serviceId')
  @HttpCode(200)
  @PublicRoute()
  async answer(
    @Req() request: FastifyRequest,
    @Param('serviceId') serviceId: string,
    @Body() body: unknown,
  ): Promise<{ readonly cards: readonly CdsCard[] }> {
    const ehr = await this.ehrOf(request, `/${serviceId}`);
    const service = serviceOf(serviceId);
    const call = parseInput(service.call, body);
    if (call.hook !== service.hook) throw invalidInput('/hook', `must be ${service.hook}, which this service is for`);
    return { cards: await this.cards.cardsOf(ehr, service, call, originOf(request)) };
  }

  /** `cds.token`, `cds.service_not_found`, `request.invalid`, `rate.limited`. */
  @Post(':serviceId/feedback')
  @HttpCode(200)
  @PublicRoute()
  async hear(
    @Req() request: FastifyRequest,
    @Param('serviceId') serviceId: string,
    @Body() body: unknown,
  ): Promise<Record<string, never>> {
    const ehr = await this.ehrOf(request, `/${serviceId}/feedback`);
    const { id } = serviceOf(serviceId);
    const { feedback } = parseInput(FEEDBACK, body);
    const of = (outcome: 'accepted' | 'overridden'): string =>
      feedback
        .filter((one) => one.outcome === outcome)
        .map(({ card }) => card)
        .join(',');
    // The trail has the cards themselves, by the same ids: whose they were is found there.
    await this.trail.recordNow(callerOf(ehr, null, originOf(request)), {
      door: 'ehr',
      interaction: '$cds-feedback',
      action: 'E',
      patients: [],
      resources: [`Endpoint/${ehr.id}`],
      query: `service=${id}&accepted=${of('accepted')}&overridden=${of('overridden')}`,
    });
    return {};
  }

  private async ehrOf(request: FastifyRequest, path: string): Promise<CdsEhr> {
    try {
      const { ip: from, headers } = request;
      const call = { authorization: headers.authorization, address: `${this.address.url}${CDS_PATH}${path}`, from };
      return await this.callers.ehrOf(call, (ehr) => {
        if (request.note !== null) request.note.caller = { ...tenantOf(ehr), keyId: ehr.id };
      });
    } catch (fault) {
      if (!(fault instanceof SuturaError) || fault.code !== 'cds.token') throw fault;
      throw this.failures.throttledFault(request.ip, fault);
    }
  }
}

function serviceOf(serviceId: string): CdsService {
  const service = CDS_SERVICES.find(({ id }) => id === serviceId);
  if (service === undefined) throw new SuturaError('cds.service_not_found');
  return service;
}

function originOf({ id, ip }: FastifyRequest): RequestOrigin {
  return { requestId: id, address: ip };
}
